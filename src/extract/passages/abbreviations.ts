// Which stops only shorten a word: in whose language, and where, one never ends a sentence.

/** Abbreviations that practically never end a sentence, in lower case without their last stop. */
const NEVER_LAST: ReadonlySet<string> = new Set(
  // English
  (
    'mr mrs ms messrs dr prof rev fr sr gen col lt sgt capt cmdr adm gov sen rep pres hon st mt ft vs viz cf e.g eg i.e ' +
    'ie al no nos vol pp pg p fig figs eq eqs sec ch art approx est dept jan feb mar apr jun jul aug sep sept oct nov dec ' +
    // German
    'z.b zb d.h dh u.a ua bzw ca evtl ggf inkl exkl nr abs abb tab bd hrsg vgl sog bspw usw.z str dipl ing mag hr fr s.o s.u ' +
    'z.t o.ä i.d.r m.e v.a zzgl max min mind jh jhd geb gest mio mrd tsd bzgl gem hl fa kap med rer nat phil jur ' +
    // French, Italian, Spanish, Portuguese, Dutch
    'mme mlle mm me dr. env ex p.ex av bd chap éd sig sigg sig.ra dott ing avv pag sra srta d dña ud uds núm pág tel av.da ' +
    'lic arq depto dpto gral sto sta mons avda exmo exma dra bijv o.a d.w.z blz mevr mw dhr drs t.a.v m.b.t i.v.m i.p.v ' +
    // Scandinavian, Polish, Czech
    'f.eks t.ex bl.a m.fl osv.e fr.o.m f.o.m t.o.m f.d d.v.s s.k kl resp np tzn tzw ul prof im św inż mgr hab tys mln mld ks ' +
    't.j tj č nám tř např sv obr ' +
    // Russian, Ukrainian, Bulgarian
    'ул вул им ім стр стор рис мал см див например т.е т.д т.п т.к г гр кв пл пр просп бул пер корп обл тел тыс тис млн млрд ' +
    'проф акад св ' +
    // Greek, Turkish, Vietnamese, Indonesian, Hindi
    'κα κκ κ.κ δρ αρ σελ τηλ λεωφ αγ βλ doç yrd cad sok mah bkz örn tp ts gs ths pgs pgs.ts bs jl jln bpk tgl hlm rp kec kab ' +
    'डॉ प्रो श्री पं मी किमी सेमी कि.मी रु'
  ).split(' '),
)

const LOOK_BACK = 20
const LAST_WORD = /([\p{L}\p{M}.]{1,12}|\d{1,4})\.["'”’»)\]]{0,2}$/u
/**
 * Single letters with stops between them: "J.", "U. S.", "z. B.", "أ.د.". Behind a number one is a unit, which may well end
 * a sentence, and one letter of Chinese, Japanese, Korean or Thai is a word.
 */
const INITIALS =
  /(?<![\p{L}\p{M}.’']|\d\s?)(?:(?![\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])\p{L}\p{M}{0,3}\.\s?){1,6}["'”’»)\]]{0,2}$/u
/** Thai has no full stop: one behind a short word shortens it, as one between letters does. */
const THAI_SHORT = /(?:^|[^\p{Script=Thai}])\p{Script=Thai}{1,4}\.$/u
const THAI_STOP = /\p{Script=Thai}\.$/u
const BEGINS_THAI = /^[\p{Script=Thai}\p{N}]/u

/** Whether the stop at the end of `left` is no end of a sentence, with `right` behind it. `left` may be long. */
export function isShortened(left: string, right: string, isTouching: boolean, ordinals: boolean): boolean {
  const tail = left.slice(-LOOK_BACK)
  const word = LAST_WORD.exec(tail)?.[1]
  if (word === undefined) return false
  const isWhole = word.length + 1 >= left.length
  if (/^\d+$/.test(word)) return isWhole || (ordinals && word.length <= 2)
  if (NEVER_LAST.has(word.toLowerCase()) || INITIALS.test(tail)) return true
  if (BEGINS_THAI.test(right) && (THAI_SHORT.test(tail) || (isTouching && THAI_STOP.test(tail)))) return true
  // A list marker: "a. First", "iv. Fourth".
  return isWhole && word.length <= 4
}
