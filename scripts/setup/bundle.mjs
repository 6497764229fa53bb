// How sources become files that Node runs: one bundle by esbuild, in which Node finds in a few files what else lies in
// well over a thousand. Every file of a bundle lies in one folder beside `src`, so two rules hold for both: `..` is the
// root of the package, and the module of a thread lies beside the one that starts it.
// A package that is CommonJS is loaded late by a module of ours: by itself it would come without the names it exports.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findBundler } from './dependencies.mjs'
import { ROOT } from './files.mjs'
import { packagesOutside } from './packages-outside.mjs'

/** As `engines` in package.json. */
const TARGET = 'node20.19'

/**
 * Most packages are CommonJS and ask for Node's own modules and for packages outside by `require`, which an ES module
 * has to make for itself.
 */
const REQUIRE = `import { createRequire as createBundleRequire } from 'node:module'
const require = createBundleRequire(import.meta.url)`

/** Zod's words in fifty languages, which its index names and nobody here asks for: 0.3 MB that every thread would read. */
const WITHOUT_LOCALES = {
  name: 'without-locales',
  setup(build) {
    const only = join(ROOT, 'node_modules', 'zod', 'v4', 'locales', 'en.js')
    build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: `export { default as en } from ${JSON.stringify(only)}`,
    }))
  },
}

/**
 * Nothing is made shorter, so that stacks in the log can be read as they are; the maps beside the files are read under
 * --enable-source-maps alone. Characters beyond ASCII are escaped, because one of them makes V8 keep a file at two bytes a
 * character.
 * @param {import('esbuild').BuildOptions} options what is bundled, and to where
 * @returns {Promise<import('esbuild').BuildResult>}
 * @throws {Error} with the bundler's words, which name file and line
 */
export async function bundle(options) {
  const { build, stop } = await import(findBundler())
  try {
    return await build({
      absWorkingDir: ROOT,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: TARGET,
      external: packagesOutside(JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))),
      banner: { js: REQUIRE },
      charset: 'ascii',
      keepNames: true,
      sourcemap: 'linked',
      sourcesContent: false,
      metafile: true,
      plugins: [WITHOUT_LOCALES],
      logLevel: 'silent',
      ...options,
    })
  } catch (error) {
    throw new Error(`the build failed:\n${error.message}`, { cause: error })
  } finally {
    await stop() // It is a process, which would live as long as the service that this one becomes.
  }
}
