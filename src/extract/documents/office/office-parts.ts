// What all Office Open XML files have (ECMA-376 Part 2): parts that name each other by relationships, and core
// properties.
import { resolvePart, type Archive } from '../archive.ts'
import type { DocumentFacts } from '../document-page.ts'
import { textsOf, readXml } from '../xml.ts'

const CORE = 'docProps/core.xml'
const CORE_NAMES = new Set(['title', 'created', 'modified', 'language'])

export async function readCoreProperties(archive: Archive): Promise<DocumentFacts> {
  const found = textsOf((await archive.text(CORE)) ?? '', CORE_NAMES)
  return {
    title: found.get('title') ?? null,
    created: found.get('created') ?? null,
    modified: found.get('modified') ?? null,
    language: found.get('language') ?? '',
  }
}

/** The parts that `part` refers to, whole names by id; what lies outside the file is left out. */
export async function readRelationships(
  archive: Archive,
  part: string,
): Promise<ReadonlyMap<string, string>> {
  const at = part.lastIndexOf('/') + 1
  const xml = await archive.text(`${part.slice(0, at)}_rels/${part.slice(at)}.rels`)
  const targets = new Map<string, string>()
  readXml(xml ?? '', {
    open(name, attribute) {
      if (name !== 'Relationship' || attribute('TargetMode') === 'External') return
      targets.set(attribute('Id'), resolvePart(part, attribute('Target')))
    },
  })
  return targets
}
