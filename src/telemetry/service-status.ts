// What the service can say of itself: shown on the start page and, by the command line, in a terminal. A file of its
// own, because the composition root fills it and two very different places print it.

/**
 * `ready` works; `limited` works with less than it could have; `failing` is set up and does not work; `missing` is not
 * there; `untried` is set up, and nobody knows yet; `off` is switched off.
 */
export type PartState = 'ready' | 'limited' | 'failing' | 'missing' | 'untried' | 'off'

/** One thing the service stands on. Signed-in people read every text: no secret belongs in it. */
export interface ServicePart {
  kind: 'search engine' | 'model' | 'browser' | 'storage' | 'setting'
  name: string
  state: PartState
  /** One sentence. */
  detail: string
  /** The command or setting that mends it, when something is to be mended; of a part that is ready, what brings more. */
  remedy: string | null
}

/** Whether nothing is wrong with it and there is more to be had. */
export const isOffer = ({ state, remedy }: Pick<ServicePart, 'state' | 'remedy'>): boolean =>
  state === 'ready' && remedy !== null

/** Parts that the same remedy mends stand together, so that it is told once; the order is that of each group's first. */
export function groupByRemedy(
  parts: readonly ServicePart[],
): { remedy: string | null; parts: ServicePart[] }[] {
  const groups = new Map<string | symbol, { remedy: string | null; parts: ServicePart[] }>()
  for (const part of parts) {
    const key = part.remedy ?? Symbol('nothing to mend')
    const group = groups.get(key) ?? { remedy: part.remedy, parts: [] }
    group.parts.push(part)
    groups.set(key, group)
  }
  return [...groups.values()]
}

export interface ServiceStatus {
  version: string
  startedAt: Date
  parts: readonly ServicePart[]
}
