// Which kinds of thing a query asks for by its question words, and how much of each a text holds: a passage without a
// number seldom tells how many.

/** Columns of the feature table, one a kind. */
export const ANSWER_KINDS = [
  'askedNumbers',
  'askedMoney',
  'askedTimes',
  'askedNames',
  'askedContacts',
  'askedReasons',
] as const

export type AnswerKind = (typeof ANSWER_KINDS)[number]

/** Matches whole words, each in one of the languages written with spaces, and `elsewhere` wherever it stands. */
function vocabulary(words: string, elsewhere: string, flags = 'iu'): RegExp {
  const alternatives = words
    .trim()
    .split(/\s+/u)
    .map((word) => word.replaceAll('_', ' '))
  return new RegExp(`(?<!\\p{L})(?:${alternatives.join('|')})(?!\\p{L})|${elsewhere}`, flags)
}

/** A price and a date are numbers, too. */
const ASKED: Readonly<Record<AnswerKind, RegExp>> = {
  askedNumbers: vocabulary(
    `how_(?:many|much|long|old|far|often|tall|high|big|large|fast|deep|wide|heavy|hot|soon)
     what_(?:year|date|time|percentage|price|age|number) which_(?:year|date) when number_of percent(?:age)? share_of
     rates? ratio costs? prices? fees? salary amount size weight length capacity calories
     wie_?viele? wie_(?:lange|alt|hoch|weit|groß|schnell|oft|teuer|schwer) anzahl anteil preis kosten kostet prozent gehalt
     wann combien quelle_quantité quand cuándo quando wanneer prix coûte? cuánt[oa]s? cuant[oa]s? precio cuesta porcentaje
     quant[oaie]s? prezzo preço hoeveel hur_(?:många|mycket|länge|gammal|stor|lång|hög) hvor_(?:mange|mye|meget|længe|lenge|gammel|stor|lang|høy|høj)
     när når hvornår paljonko kuinka_(?:monta|paljon|kauan|vanha|suuri) milloin hány mennyi mikor kolik kdy koľko kedy koliko kada
     cât[ăei]? când kaç ne_(?:kadar|zaman) bao_nhiêu khi_nào berapa kapan коли колко πόσ[οηα] πόσοι πόσες πότε چقدر چند כמה מתי`,
    '多少|几|幾|いくら|何人|何回|何年|何時|いつ|몇|얼마|언제|сколько|скільки|когда|كم|कितन|^ile(?!\\p{L})|กี่|เท่าไ',
  ),
  askedMoney: vocabulary(
    `how_much costs? prices? fees? salary pay paid cheap expensive worth teuer preis kosten kostet gehalt prix coûte? precio
     cuesta cuánto prezzo preço custa prijs`,
    '多少钱|价格|いくら|얼마|цена|стоит',
  ),
  askedTimes: vocabulary(
    `when how_(?:long|soon|old) since until deadline dates? year month day hours? opening wann seit bis datum wie_lange jahr
     cuándo fecha quand quando wanneer kiedy när når hvornår milloin mikor kdy kedy kada când ne_zaman khi_nào kapan коли πότε
     מתי`,
    'когда|什么时候|何时|哪年|哪天|几月|年|いつ|何時|언제|متى|कब|เมื่อไ',
  ),
  askedNames: vocabulary(
    `who whose whom author founder wer wen wem wessen quién(?:es)? quien qui chi quem kto hvem kdo
     tko siapa хто ποι[οό]ς מי`,
    'кто|谁|誰|누구|من هو|कौन|^vem(?!\\p{L})|ใคร',
  ),
  askedContacts: vocabulary(
    `phone telephone e-?mail hotline address contact call website telefon(?:nummer)? nummer adresse anrufen melden teléfono
     llamar dirección téléphone appeler`,
    '电话|地址|電話|전화|телефон',
  ),
  askedReasons: vocabulary(
    `why reason cause how_come warum wieso weshalb grund por_qué pourquoi perché waarom varför hvorfor dlaczego proč
     prečo zašto miksi miért neden niçin tại_sao vì_sao mengapa kenapa чому защо γιατί چرا למה
     מדוע`,
    'почему|зачем|为什么|为何|なぜ|どうして|왜|لماذا|क्यों|ทำไม',
  ),
}

const FOUND: Readonly<Record<AnswerKind, RegExp>> = {
  askedNumbers: /\p{Nd}+/gu,
  askedMoney: vocabulary(
    'usd eur euros? dollars? pounds? cents? francs? rupees? yuan',
    '\\p{Sc}|元|円|원|руб',
    'giu',
  ),
  askedTimes: vocabulary(
    `(?:19|20)\\d\\d \\d{1,2}[:.]\\d\\d january jan february feb march mar april apr may june jun july jul august aug september
     sept? october oct november nov december dec januar februar märz mai juni juli oktober okt dezember dez enero febrero marzo
     abril mayo junio julio agosto septiembre octubre noviembre diciembre janvier février mars avril juin juillet août septembre
     octobre novembre décembre (?:mon|tues|wednes|thurs|fri|satur|sun)days? montag dienstag mittwoch donnerstag freitag samstag
     sonntag seconds? minutes? hours? days? weeks? months? years? sekunden? minuten? stunden? tage?n? wochen? monate?n? jahre?n?
     días? semanas? mes(?:es)? años? jours? mois ans années?`,
    '\\d[年月日时時]',
    'giu',
  ),
  askedNames: /\p{Lu}[\p{Ll}'’-]+ (?:(?:van|von|de|der|la|del|di) )?\p{Lu}[\p{Ll}'’-]+/gu,
  askedContacts: /@\p{L}|\+?\d[\d ()/.-]{5,20}\d|www\.|https?:/gu,
  askedReasons: vocabulary(
    `because since due_to so_that therefore thus reason weil denn daher deshalb wegen damit porque debido parce_que poiché
     perché omdat eftersom fordi ponieważ protože pretože jer koska mert çünkü karena επειδή زیرا כי`,
    '因为|由于|因此|ため|から|поэтому|потому|так как|เพราะ',
    'giu',
  ),
}

/** Beyond so many of a kind, more of it says no more: a table of numbers answers no better than a sentence. */
const COUNTED_MAX = 6

/** The kinds that a query asks for; none for one that asks for something else, or in words that are not known. */
export const kindsAsked = (query: string): readonly AnswerKind[] =>
  ANSWER_KINDS.filter((kind) => ASKED[kind].test(query))

/** How many things of a kind a text holds, 0 to COUNTED_MAX. Linear in the text. */
export function countOfKind(kind: AnswerKind, text: string): number {
  let count = 0
  for (const _ of text.matchAll(FOUND[kind])) if (++count === COUNTED_MAX) break
  return count
}
