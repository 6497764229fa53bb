// Where the maps from features to probabilities lie: those that ship beside the catalog, and those fitted on this
// machine in MODEL_DIR, which take their places.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { Logger } from '../../telemetry/log.ts'
import { loadCalibration, type Calibration, type CalibrationMap } from './calibration.ts'

const FILE_NAME = 'calibration.json'
const mapsSchema = z.object({ maps: z.record(z.string(), z.unknown()) })

interface Places {
  /** The shipped file lies in the same folder. */
  catalogPath: string
  /** MODEL_DIR. */
  modelDirectory: string
}

async function readMaps(directory: string): Promise<Record<string, unknown>> {
  return mapsSchema.parse(JSON.parse(await readFile(join(directory, FILE_NAME), 'utf8'))).maps
}

const isAbsent = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

/**
 * Both files as one; `json` is what the first stage's thread is given. A damaged file in MODEL_DIR is reported and left
 * out; a damaged shipped one is an error.
 */
export async function readCalibration(
  { catalogPath, modelDirectory }: Places,
  log: Logger,
): Promise<{ json: unknown; calibration: Calibration }> {
  const shipped = await readMaps(dirname(catalogPath))
  try {
    const json = { maps: { ...shipped, ...(await readMaps(modelDirectory)) } }
    return { json, calibration: loadCalibration(json) }
  } catch (error) {
    if (!isAbsent(error))
      log.warn({ err: error }, 'the calibration in MODEL_DIR is damaged; the shipped one is used')
    return { json: { maps: shipped }, calibration: loadCalibration({ maps: shipped }) }
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
  const path = join(modelDirectory, FILE_NAME)
  await mkdir(modelDirectory, { recursive: true })
  await writeFile(`${path}.part`, `${JSON.stringify(json, null, 2)}\n`)
  await rename(`${path}.part`, path)
  return path
}
