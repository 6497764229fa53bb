// Whether a text gives orders to a language model instead of telling people something: "ignore previous instructions"
// and its kin in ten languages. It only flags; the text itself is never changed.

/** What a model is called when it is spoken to. */
const MODEL = String.raw`(?:(?:large |grand |gro(?:ß|ss)es )?language models?|llms?|ai (?:assistants?|agents?|models?|chatbots?|systems?|crawlers?)|chatgpt|gpt-?\d*|claude|gemini|copilot|chatbots?|an ai\b|artificial intelligence|(?:ki|ai)-?(?:assistent\p{L}*|modell?|agent\p{L}*|system\p{L}*)|sprachmodell\p{L}*|mod[eè]les? de langage|assistant(?:e)? (?:d['’])?ia|ia g[ée]n[ée]rative|modelos? de (?:lenguaje|linguagem)|asistente de ia|assistente (?:de |di )?ia|inteligencia artificial|intelig[êe]ncia artificial|modell[oi] linguistic[oi]|intelligenza artificiale|taalmodel\p{L}*|model\p{L}* j[ęe]zykow\p{L}*|asystent\p{L}* (?:ai|si)|sztuczn\p{L}+ inteligencj\p{L}+|языков\p{L}+ модел\p{L}+|(?:ии|ai)-?\s?ассистент\p{L}*|искусственн\p{L}+ интеллект\p{L}*|нейросет\p{L}+)`
const MODEL_DENSE = String.raw`(?:人工智能(?:助手|模型)?|AI\s?(?:助手|模型|アシスタント|エージェント|モデル)|大?语言模型|語言模型|言語モデル|人工知能)`

/** Orders that models were given before. */
const ORDERS = String.raw`(?:instructions?|directions?|prompts?|directives?|guidelines?|guardrails?|rules|commands?|anweisung\p{L}*|instruktion\p{L}*|vorgaben|befehle?|regeln|consignes?|directives|invites?|instrucciones|indicaciones|[óo]rdenes|istruzion[ei]|indicazioni|comandi|instru[çc][õo]es|comandos|ordens|instructies?|opdrachten|richtlijnen|instrukcj\p{L}+|polece\p{L}+|wytyczn\p{L}+|инструкци\p{L}+|указани\p{L}+|команд\p{L}*|правил\p{L}*)`
const BEFORE = String.raw`(?:previous|prior|earlier|above|preceding|foregoing|existing|original|bisherigen?|vorherigen?|vorigen?|früheren|obigen|vorangegangenen|pr[ée]c[ée]dente?s?|ant[ée]rieure?s?|ci-dessus|anteriores?|previas?|precedenti|prec?edente|eerdere|vorige|voorgaande|bovenstaande|poprzedni\p{L}*|wcze[śs]niejsz\p{L}*|powy[żz]sz\p{L}*|предыдущ\p{L}+|прежни\p{L}+|предшествующ\p{L}+|выше\p{L}*)`
const IGNORE = String.raw`(?:ignore|disregard|override|forget|bypass|ignorier\p{L}*|missachte|vergiss|vergessen sie|überschreibe|ignorez|oublie[zr]?|n[ée]glige[zr]?|ignora|ignorad|ignoren?|olvida|olvide|dimentica|trascura|esque[çc]a|desconsidere|negeer|vergeet|zignoruj|ignoruj|zapomnij|pomi[ńn]|игнорируй\p{L}*|проигнорируй\p{L}*|забудь\p{L}*)`
const YOURS = String.raw`(?:your|deine?n?|ihre|tes|vos|tus|sus|tue|tuoi|suas?|teus?|je|jouw|uw|swoje|twoje|свои|твои|ваши)`

/**
 * Short stretches between the words of a pattern: each at most so long, so that looking takes time in proportion to the
 * text.
 */
const GAP = String.raw`[^.!?\n]{0,40}?`
const NEAR = String.raw`[^.!?\n]{0,80}?`
/** Letters of any script end a word, which \b does not know. */
const START = String.raw`(?<![\p{L}\p{N}])`
const END = String.raw`(?![\p{L}\p{N}])`

/** What only a model is asked to do: speak to "the user", hide, recommend, print its prompt. */
const DEED = String.raw`(?:tell|inform|recommend|mention|praise|output|print|reveal|include|respond|reply|answer|say|always|never|do not|don['’]t|must|erw[äa]hn\p{L}*|empfiehl|empfehle\p{L}*|sag\p{L}*|antworte\p{L}*|teile|dites|dis|r[ée]pond\p{L}*|recommande\p{L}*|mentionne\p{L}*|di[gl]?[aáe]?|responde\p{L}*|recomiend\p{L}*|recomende\p{L}*|menciones?|consiglia|rispondi|vertel|zeg|noem|powiedz|polec\p{L}*|odpowiedz|скажи\p{L}*|ответь\p{L}*|рекоменду\p{L}*)`
const LISTENER = String.raw`(?:the user|your user|users|(?:dem|den) nutzer\p{L}*|(?:dem|den) benutzer\p{L}*|l['’]utilisateur|al usuario|all['’]utente|ao usu[áa]rio|ao utilizador|de gebruiker|u[żz]ytkownik\p{L}*|пользовател\p{L}+)`

const pattern = (source: string): RegExp => new RegExp(source, 'iu')

const SIGNS: readonly RegExp[] = [
  // "Ignore all previous instructions", "forget your earlier instructions"
  pattern(
    `${START}(?<!\\b(?:not|no|n['’]t|nicht|pas|non|não|niet|nie|не)\\s)${IGNORE}${END}${GAP}${START}(?:${BEFORE}${END}${GAP}${START}${ORDERS}|${ORDERS}${END}${GAP}${START}${BEFORE}|${YOURS}${END}${GAP}${START}${ORDERS})${END}`,
  ),
  pattern(
    `${START}(?:forget|disregard|ignore) (?:everything|all) (?:you|that you|we|i)${END}${GAP}(?:told|said|instructed|given|learned)`,
  ),
  // "If you are an AI assistant …"
  pattern(
    `${START}(?:if|when|wenn|falls|si|se|als|jeśli|jezeli|jeżeli|если)${END} ${START}(?:you(?:['’]re| are)|du|sie|vous [êe]tes|tu es|eres|usted es|sei|voc[êe] [ée]|[ée]s|je|u|jesteś|ты|вы)${END}${GAP}${START}${MODEL}${END}(?! (?:researcher|developer|engineer|expert|company|startup|user)s?)`,
  ),
  // "Note to language models:", "Dear ChatGPT,", "Attention LLM crawlers:"
  pattern(
    `${START}(?:note|message|instructions?|attention|notice|hinweis|nachricht|avis|attenzione|atenci[óo]n|aten[çc][ãa]o|dear|hey|hello|liebe[rs]?|cher|querido|caro|beste|drog[ia]|уважаемый)${END}(?: (?:to|for|an|für|aux?|para|a|per|ai|voor|do|dla|для))?${GAP}${START}${MODEL}${END}${GAP}[:,]`,
  ),
  // "AI agents must always include a link", "tell the user that …" said to a model
  pattern(`${START}${MODEL}${END} (?:must|should|shall|have to) (?:always|never|not|only)${END}`),
  pattern(`${START}${MODEL}${END}${NEAR}${START}${DEED}${END}${NEAR}${LISTENER}`),
  // Roles and marks of chat templates
  /<\|(?:im_start|im_end|system|user|assistant|endoftext)\|>|\[\/?INST\]|<<\/?SYS>>|<\/?(?:system|assistant)_?(?:prompt|message)>/iu,
  pattern(
    `(?:^|\\n)[^\\S\\n]*(?:system|developer|assistant)(?: prompt| message)?\\s*:\\s*${NEAR}${START}(?:you (?:are|must|will)|ignore|disregard)${END}`,
  ),
  // Its own prompt
  pattern(
    `${START}(?:reveal|print|output|show|display|repeat|rivela|mostra|zeig\\p{L}*|gibst?|gib|affiche[zr]?|r[ée]v[èe]le[zr]?|muestra|revela|mostre|toon|poka[żz]|wyświetl|покажи|выведи)${END}${GAP}${START}(?:your|deinen?|ihren|ton|votre|tu|su|il tuo|o seu|seu|je|uw|swój|свой|твой|ваш)${END} ${START}(?:(?:hidden|secret|initial|original) )?(?:system[- ]?prompt\\p{L}*|systeemprompt|prompt|instructions|invite syst[èe]me|prompt di sistema|prompt do sistema|prompt del sistema|системн\\p{L}+ промпт)${END}`,
  ),
  pattern(
    `${START}(?:you are|you will|du bist|vous [êe]tes|eres|sei|voc[êe] [ée]|je bent|jesteś|ты)${END}${GAP}${START}(?:an? unrestricted (?:assistant|ai|model)|(?:in )?(?:developer|jailbreak|dan) mode|sin restricciones|ohne einschränkungen|sans restrictions?)${END}`,
  ),
  pattern(
    `${START}(?:your|ihre|deine) (?:new|neue) (?:task|aufgabe|instructions?|role|rolle)${END} (?:is|are|ist|sind)${END}`,
  ),
  // Chinese and Japanese
  /(?:忽略|无视|無視|忘记|忘掉)[^。！？\n]{0,20}(?:之前|先前|以上|此前|上述|所有)[^。！？\n]{0,12}(?:指令|指示|提示|命令|规则|要求)/u,
  /(?:これまで|以前|上記|前|先程|今まで)の[^。！？\n]{0,12}(?:指示|命令|プロンプト|ルール)[^。！？\n]{0,12}(?:無視|忘れ|破棄)/u,
  new RegExp(`(?:如果|若|假如)(?:你|您)[^。！？\\n]{0,8}${MODEL_DENSE}`, 'u'),
  new RegExp(
    `(?:あなた|貴方|君)(?:が|は)[^。！？\\n]{0,8}${MODEL_DENSE}[^。！？\\n]{0,6}(?:なら|であれば|の場合|だったら)`,
    'u',
  ),
  /(?:输出|显示|透露|告诉我|表示|出力|教え)[^。！？\n]{0,10}(?:系统提示|系統提示|システムプロンプト)|システムプロンプト[^。！？\n]{0,8}(?:表示|出力|教え)/u,
]

/** `text` is a snippet: the time grows with its length, at about a microsecond a character. */
export const addressesModel = (text: string): boolean => SIGNS.some((sign) => sign.test(text))
