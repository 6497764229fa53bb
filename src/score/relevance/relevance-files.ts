// Where what judges comes from: the learned relevance and the maps that ship beside the catalog, and those fitted on
// this machine in MODEL_DIR, which take their places.
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import type { Logger } from '../../telemetry/log.ts'
import { calibrationSchema, loadCalibration, type CalibrationMap } from './calibration.ts'
import type { judgesSchema } from './judges.ts'

const CALIBRATION_FILE = 'calibration.json'
const LEARNED_FOLDER = 'relevance'
const HIGHLIGHT_FILE = join('highlights', 'parts.json')
const mapsSchema = z.object({ maps: z.record(z.string(), z.unknown()) })

interface Places {
  /** The shipped files lie in the same folder. */
  catalogPath: string
  /** MODEL_DIR. */
  modelDirectory: string
}

async function readMaps(directory: string): Promise<Record<string, unknown>> {
  return mapsSchema.parse(JSON.parse(await readFile(join(directory, CALIBRATION_FILE), 'utf8'))).maps
}

/** Every learned relevance of a folder, by the stage its file is named after. */
async function readLearned(directory: string): Promise<Record<string, unknown>> {
  const folder = join(directory, LEARNED_FOLDER)
  const files = (await readdir(folder)).filter((name) => name.endsWith('.json'))
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')))
  return Object.fromEntries(files.map((name, at) => [basename(name, '.json'), JSON.parse(texts[at] ?? '')]))
}

/** The fit that tells which part of a passage answers. */
export const readHighlightMap = async ({ catalogPath }: Pick<Places, 'catalogPath'>): Promise<unknown> =>
  JSON.parse(await readFile(join(dirname(catalogPath), HIGHLIGHT_FILE), 'utf8'))

const isAbsent = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

/**
 * All of them as one, for the thread of relevance. A damaged calibration in MODEL_DIR is reported and left out; a
 * damaged shipped file is an error.
 */
export async function readJudges(
  { catalogPath, modelDirectory }: Places,
  log: Logger,
): Promise<z.input<typeof judgesSchema>> {
  const shipped = await readMaps(dirname(catalogPath))
  const learned = await readLearned(dirname(catalogPath))
  try {
    const maps = { ...shipped, ...(await readMaps(modelDirectory)) }
    return { learned, calibration: calibrationSchema.parse({ maps }) }
  } catch (error) {
    if (!isAbsent(error))
      log.warn({ err: error }, 'the calibration in MODEL_DIR cannot be read; the shipped one is used')
    return { learned, calibration: calibrationSchema.parse({ maps: shipped }) }
  }
}

/** Adds maps to the file in MODEL_DIR, in place of those of the same models. @returns the file's path. */
export async function writeCalibration(
  modelDirectory: string,
  maps: Record<string, CalibrationMap>,
): Promise<string> {
  const known = await readMaps(modelDirectory).catch((error: unknown) => {
    if (isAbsent(error)) return {}
    throw error
  })
  const json = { maps: { ...known, ...maps } }
  loadCalibration(json)
  const path = join(modelDirectory, CALIBRATION_FILE)
  await mkdir(modelDirectory, { recursive: true })
  await writeFile(`${path}.part`, `${JSON.stringify(json, null, 2)}\n`)
  await rename(`${path}.part`, path)
  return path
}
