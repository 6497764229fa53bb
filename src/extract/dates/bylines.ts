// Dates in the text of a page: which runs may tell one, what it is the date of, and how much it is trusted.
import { DATE_CUE, isAside, isInFooter } from '../html/date-markup.ts'
import { closest, type HtmlElement } from '../html/element-tree.ts'
import type { HtmlRun } from '../html/text-runs.ts'
import type { Heading } from './page-heading.ts'
import { mayHoldDate } from './parse-date.ts'

/** A run that may tell a date. */
export interface Byline {
  readonly kind: 'published' | 'modified'
  /** As `DateCandidate.trust`. */
  readonly trust: number
  /** Where the date is to be looked for. */
  readonly text: string
}

const LONGEST_CHARACTERS = 300
const LONGEST_WORDS = 30
/** Of one that is marked as a byline or a date. */
const LONGEST_MARKED_CHARACTERS = 600
const LONGEST_MARKED_WORDS = 80
/** The beginning of a paragraph in which its date may stand: "01.02.2022 The market…". */
const DATELINE = /^\W{0,2}\d{1,4}[./年-]/u
const DATELINE_CHARACTERS = 14
const DATELINE_TRUST = 2.2

const SAYS_MODIFIED =
  /updat|modif|aktualis|geändert|mis à jour|actualiz|aggiornat|atualiz|更新|обновл|gewijzigd|bijgewerkt|last edit|edited|güncelle|revised|reviewed|수정|cập nhật|aktualiz|frissít|uppdater|oppdater|opdater|päivitet|แก้ไข|อัปเดต|อัพเดต/i
const SAYS_PUBLISHED =
  /publi|posted|veröffentlicht|erstellt|created|pubbl|发布|發佈|发表|来源|时间|日期|опублик|stand\b|datum|date|geplaatst|eingestellt|vom\b|on\b|am\b|le\b|écrit|written/i
const SAYS_SOMETHING_ELSE =
  /©|copyright|seit |since |geboren|born|event|termin|bis |[–－] ?\d|registriert|joined|member since|mitglied|beigetreten|inscrit|注册|регистрац/i

/**
 * What says in so many words, right before the day, that the page was changed: "This page was last edited on", "Last
 * update:". It stands at the end of a page, where other days are not believed. A post that was edited says by whom.
 */
const LAST_CHANGE =
  /(?:page(?: was)? last (?:edited|changed|reviewed)|last (?:updated?|modified|modification|revised|revision)|zuletzt (?:aktualisiert|geändert|bearbeitet)|letzte (?:aktualisierung|änderung|bearbeitung)|dernière (?:mise à jour|modification)|última (?:actualización|modificación|atualização|modificação|edición|edição)|actualizado por última vez|ultimo aggiornamento|ultima modifica|laatst (?:bijgewerkt|gewijzigd|aangepast)|senast (?:uppdaterad|ändrad|redigerad)|sist (?:oppdatert|endret|redigert)|sidst (?:opdateret|ændret|redigeret)|viimeksi (?:päivitetty|muokattu)|ostatnia (?:aktualizacja|modyfikacja|zmiana)|poslední (?:aktualizace|změna|úprava)|utolsó (?:frissítés|módosítás)|ultima actualizare|son güncel(?:leme|lenme)|последн(?:ее обновление|ее изменение|яя правка)|останн(?:є оновлення|я зміна|є редагування)|cập nhật lần cuối|terakhir diperbarui|آخر (?:تحديث|تعديل)|最終更新|最后(?:更新|修改|编辑)|最後(?:更新|修改|編輯|修訂)|마지막(?:으로)? ?(?:수정|업데이트|편집))[^\d]{0,24}\d/iu

const LAST_CHANGE_TRUST = 5

/** Around the heading, in runs. */
const NEAR_RUNS = 3
const BELOW_RUNS = 8
const ABOVE_RUNS = 5
/** From here on a person who looks at the page takes it for its date: a class or a property says so. */
export const SHOWN_TRUST = 5

/** What the run at `index` may tell, null when it holds no date or is prose. */
export function readByline(run: HtmlRun, index: number, heading: Heading): Byline | null {
  const { text } = run
  if (text.length < 4 || !mayHoldDate(text.slice(0, LONGEST_MARKED_CHARACTERS))) return null
  const kind = kindOf(run)
  const isMarked = run.dateCues !== 0
  const words = countWords(text)
  const isShort = text.length <= LONGEST_CHARACTERS && words <= LONGEST_WORDS
  const change = isShort || isInFooter(run.element) ? lastChangeIn(run) : null
  if (change !== null) return change
  const isByline =
    isShort || (isMarked && text.length <= LONGEST_MARKED_CHARACTERS && words <= LONGEST_MARKED_WORDS)
  if (isByline) return { kind, trust: trustIn(run, words, index, heading), text }
  const after = index - heading.run
  if (heading.run < 0 || after < 0 || after > BELOW_RUNS || !DATELINE.test(text)) return null
  return { kind: 'published', trust: DATELINE_TRUST, text: text.slice(0, DATELINE_CHARACTERS) }
}

function lastChangeIn({ text, element }: HtmlRun): Byline | null {
  const found = LAST_CHANGE.exec(text.slice(0, LONGEST_MARKED_CHARACTERS))
  if (found === null || isInCard(element) || isQuoted(element)) return null
  const isOfPage = found[0].toLowerCase().startsWith('page')
  return {
    kind: 'modified',
    trust: LAST_CHANGE_TRUST + (isOfPage ? 0.5 : 0),
    text: text.slice(found.index, found.index + LONGEST_CHARACTERS),
  }
}

const kindOf = (run: HtmlRun): Byline['kind'] =>
  (run.dateCues & DATE_CUE.modified) !== 0 || SAYS_MODIFIED.test(run.text.slice(0, 80))
    ? 'modified'
    : 'published'

/** Four characters of a script without spaces count as one word: a date in it is three. */
const countWords = (text: string): number =>
  text.split(' ').length + Math.round((text.match(UNSPACED)?.length ?? 0) / UNSPACED_TO_WORD)

const UNSPACED = /[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]/gu
const UNSPACED_TO_WORD = 4

function trustIn(run: HtmlRun, words: number, index: number, heading: Heading): number {
  let trust = trustByCues(run, words) + trustByPlace(index, heading)
  if (words > 12) trust -= 1
  if (isInCard(run.element)) trust -= 1.5
  if (isQuoted(run.element)) trust -= 2
  if (isAside(run.element, heading.element)) trust -= 3
  if (isInFooter(run.element)) trust -= 1.5
  if (SAYS_SOMETHING_ELSE.test(run.text)) trust -= 1.5
  return trust
}

function trustByCues(run: HtmlRun, words: number): number {
  const cues = run.dateCues
  if ((cues & (DATE_CUE.published | DATE_CUE.modified)) !== 0) return 8
  if ((cues & DATE_CUE.timeElement) !== 0) return 5.5
  if ((cues & DATE_CUE.dateClass) !== 0) return 5
  if ((cues & DATE_CUE.bylineClass) !== 0) return 4.2
  if (SAYS_PUBLISHED.test(run.text.slice(0, 60))) return 3.6
  return words <= 6 ? 3 : 2
}

function trustByPlace(index: number, { run }: Heading): number {
  const early = -Math.min(1, index / 300)
  if (run < 0) return early
  const after = index - run
  const near = Math.abs(after) <= NEAR_RUNS ? 0.6 : 0
  // In a masthead stands the day on which the page was sent.
  if (after < -ABOVE_RUNS) return early - 1.2
  return early + near + (after < 0 ? 0.6 : after <= BELOW_RUNS ? 0.9 : 0)
}

/** What is quoted, shown or named has a date of its own: a post within an article, a picture, a source. */
const isQuoted = (element: HtmlElement): boolean =>
  ['blockquote', 'figcaption', 'cite'].some((name) => closest(element, name) !== null)

/** In a link that holds more than this text, which leads to the page that the date is of. */
const isInCard = (element: HtmlElement): boolean => (closest(element, 'a')?.blocks ?? 0) > 1
