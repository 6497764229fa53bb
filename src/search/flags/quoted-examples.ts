// A page about attacks on models quotes them; what it says itself is read.
import { fold } from './order-features.ts'

/** As long as an order is. */
const QUOTED = /["“„][^"“”„]{8,300}["”“]|«[^«»]{8,300}»|「[^「」]{8,300}」|『[^『』]{8,300}』/gu

/** In a folded text, at the start of a word where a script has any. */
const ABOUT_ATTACKS =
  /(?<![\p{L}\p{N}])(?:inje[ckz]|iniezion|inyeccion|attack|attaqu|attacc|angriff|angreif|ataque|atacante|атак|hacker|хакер|злоумышленник|jailbreak|vulnerab|schwachstell|уязвимост|инъекци|exploit|malicious|malveillan|adversar|security|sicherheit|securite|seguridad|sicurezza|seguranca|безопасност|research|forscher|chercheur|investigador|ricercator|pesquisador|исследовател|such as|for example|e\.g\.|beispiel|exemple|exemplo|ejemplo|esempio|пример|experiment|esperiment|эксперимент|phrase|sentence|frase|satz|фраз|hidden|versteckt|cache|oculto|nascost|скрыт)|攻击|攻撃|黑客|ハッカー|研究|注入|インジェクション|漏洞|脆弱|例如|例えば|たとえば|实验|実験|هجوم|مهاجم|باحث|حقن|ثغر|تجربة|عبارة/u

/** The text without what it quotes, where it speaks about attacks or gives examples; else as it is. */
export function withoutQuotedExamples(text: string): string {
  const own = text.replaceAll(QUOTED, '" "')
  return own.length < text.length && ABOUT_ATTACKS.test(fold(own)) ? own : text
}
