// Programs over our sources that tests start as processes of their own: bundled first, as the service is, because one that
// translates module after module when it is started takes four times as long, and some are started a hundred times.
import { basename, join } from 'node:path'
import { bundle } from '../../scripts/setup/bundle.mjs'
import { ROOT, writeWhole } from '../../scripts/setup/files.mjs'

/** Beside `src`, as every bundle. */
const FOLDER = join(ROOT, '.test-programs')

/** Bundles the program at `path`; returns the path of what Node runs. */
export async function bundleProgram(path: string): Promise<string> {
  const { outputFiles = [] } = await bundle({ entryPoints: [path], write: false, sourcemap: false })
  const file = join(FOLDER, `${basename(path, '.mjs')}.js`)
  // Whole or not at all: two test files may start the same program.
  writeWhole(file, outputFiles[0]?.text ?? '')
  return file
}
