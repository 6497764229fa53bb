// Finds which of some hundred words stand in a class name or id, all of them in one walk over its characters.

/** Words by the bit that each of them sets. */
export type WordLists = readonly (readonly [bit: number, words: string])[]

/** Children of a node: a to z, digits, the hyphen. */
const BRANCHES = 37
const NO_BRANCH = -1
/** What a word asks of its ends: nothing, the border of a word before it, after it, or both. */
const BORDER = { none: 0, before: 1, after: 2 } as const
const BORDER_KINDS = 4

interface Tree {
  /** Node numbers, `BRANCHES` to a node; 0, the root's own number, where none goes on. */
  children: number[]
  /** Bits found at a node, `BORDER_KINDS` to a node. */
  found: number[]
}

/**
 * Returns a function that tells the bits of all words that stand in a text, whatever their case. Words are parted by
 * spaces and made of a to z, digits and hyphens; `?` makes the character before it optional, `.` at an end of the word
 * asks for a border there, as `\b` does in an expression. Linear in the text, times the length of the longest word at
 * worst.
 */
export function createWordFinder(lists: WordLists): (text: string) => number {
  const tree: Tree = { children: blank(BRANCHES), found: blank(BORDER_KINDS) }
  for (const [bit, words] of lists) {
    for (const word of words.split(' '))
      for (const spelling of spellingsOf(word)) addWord(tree, spelling, bit)
  }
  const children = Uint16Array.from(tree.children)
  const found = Int32Array.from(tree.found)
  const endsHere = Uint8Array.from({ length: found.length / BORDER_KINDS }, (_, node) =>
    found.subarray(node * BORDER_KINDS, (node + 1) * BORDER_KINDS).some((bits) => bits !== 0) ? 1 : 0,
  )
  return (text) => {
    let bits = 0
    for (let from = 0; from < text.length; from++) {
      let node = 0
      for (let at = from; at < text.length; at++) {
        const branch = branchOf(text.charCodeAt(at))
        if (branch === NO_BRANCH) break
        node = children[node * BRANCHES + branch] ?? 0
        if (node === 0) break
        if (endsHere[node] === 1) bits |= bitsAt(found, node, bordersOf(text, from, at + 1))
      }
    }
    return bits
  }
}

const blank = (length: number): number[] => Array.from({ length }, () => 0)

/** A word with each of its optional characters and without. */
function spellingsOf(word: string): string[] {
  const optional = word.indexOf('?')
  if (optional === -1) return [word]
  const rest = word.slice(optional + 1)
  return [...spellingsOf(word.slice(0, optional) + rest), ...spellingsOf(word.slice(0, optional - 1) + rest)]
}

function addWord(tree: Tree, word: string, bit: number): void {
  const borders = (word.startsWith('.') ? BORDER.before : 0) | (word.endsWith('.') ? BORDER.after : 0)
  let node = 0
  for (const character of word.replaceAll('.', '')) {
    const branch = branchOf(character.charCodeAt(0))
    if (branch === NO_BRANCH) throw new Error(`"${word}" may hold a to z, digits and hyphens only`)
    const slot = node * BRANCHES + branch
    if (tree.children[slot] === 0) {
      tree.children[slot] = tree.found.length / BORDER_KINDS
      tree.children.push(...blank(BRANCHES))
      tree.found.push(...blank(BORDER_KINDS))
    }
    node = tree.children[slot] ?? 0
  }
  const slot = node * BORDER_KINDS + borders
  tree.found[slot] = (tree.found[slot] ?? 0) | bit
}

function branchOf(code: number): number {
  if (code >= 97 && code <= 122) return code - 97
  if (code >= 65 && code <= 90) return code - 65
  if (code >= 48 && code <= 57) return code - 22
  return code === 45 ? 36 : NO_BRANCH
}

/** Where the text from `from` to `to` has the border of a word: bits of `BORDER`. */
function bordersOf(text: string, from: number, to: number): number {
  const before = isWordCharacter(text, from - 1) === isWordCharacter(text, from) ? 0 : BORDER.before
  return before | (isWordCharacter(text, to - 1) === isWordCharacter(text, to) ? 0 : BORDER.after)
}

/** As `\w` has it. */
function isWordCharacter(text: string, at: number): boolean {
  if (at < 0 || at >= text.length) return false
  const code = text.charCodeAt(at)
  const lower = code | 32
  return (lower >= 97 && lower <= 122) || (code >= 48 && code <= 57) || code === 95
}

function bitsAt(found: Int32Array, node: number, borders: number): number {
  const at = node * BORDER_KINDS
  let bits = found[at] ?? 0
  if ((borders & BORDER.before) !== 0) bits |= found[at + BORDER.before] ?? 0
  if ((borders & BORDER.after) !== 0) bits |= found[at + BORDER.after] ?? 0
  if (borders === (BORDER.before | BORDER.after)) bits |= found[at + borders] ?? 0
  return bits
}
