// Which packages stay outside of the bundle: imported from node_modules when they are needed, as all are without a bundle.

/**
 * One drives browsers with files beside its own, one reads character maps there, two are asked for by `require`, which a
 * bundle leaves as it is. Whatever else is in a bundle and asks where it lies fails at once.
 */
const BY_THEIR_PLACE = new Set(['playwright', 'pdfjs-dist', 'robots-parser', 'tinyld'])

/**
 * Those of our dependencies that need machine code, themselves or in a package below them, as the lock file tells: it is
 * found by its place, which a bundle is not. Those that find other files so. And what is installed for the tests alone,
 * since a package may look for one that it can do without: a bundle holds the same wherever it is made.
 * @param {{ packages: Record<string, any> }} lockFile
 * @returns {string[]} names
 */
export function packagesOutside({ packages }) {
  return [...runningOutside(packages), ...installedForTests(packages)]
}

/**
 * Where the packages lie that are read when the bundle runs: those outside of it that running needs, and all below them.
 * @param {{ packages: Record<string, any> }} lockFile
 * @returns {string[]} paths of the lock file
 */
export function foldersOutside({ packages }) {
  const reached = new Set()
  for (const name of runningOutside(packages)) reachedFrom(packages, `node_modules/${name}`, reached)
  return [...reached].filter((path) => packages[path].dev !== true)
}

function runningOutside(packages) {
  const needsMachineCode = (name) =>
    reachedFrom(packages, `node_modules/${name}`).some((path) => isMachineCode(packages[path]))
  const ours = Object.keys(packages[''].dependencies)
  return ours.filter((name) => BY_THEIR_PLACE.has(name) || needsMachineCode(name))
}

/** Names that no package has which running needs. */
function installedForTests(packages) {
  const paths = Object.keys(packages).filter((path) => path !== '')
  const nameOf = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const needed = new Set(paths.filter((path) => packages[path].dev !== true).map(nameOf))
  return [...new Set(paths.map(nameOf))].filter((name) => !needed.has(name))
}

/** It compiles or fetches something when it is installed, or is there for one kind of machine alone. */
const isMachineCode = ({ hasInstallScript, os, cpu }) =>
  hasInstallScript === true || os !== undefined || cpu !== undefined

/** The package at `path` and all that are below it, as paths of the lock file. */
function reachedFrom(packages, path, reached = new Set()) {
  reached.add(path)
  const { dependencies, optionalDependencies } = packages[path]
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const next = pathOf(packages, name, path)
    if (next !== null && !reached.has(next)) reachedFrom(packages, next, reached)
  }
  return [...reached]
}

/** Where Node finds `name` from the package at `from`: in it, or in a folder further out. Null where it is not installed. */
function pathOf(packages, name, from) {
  for (
    let folder = from;
    folder !== '';
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))
  )
    if (packages[`${folder}/node_modules/${name}`] !== undefined) return `${folder}/node_modules/${name}`
  return packages[`node_modules/${name}`] === undefined ? null : `node_modules/${name}`
}
