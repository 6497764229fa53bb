#!/usr/bin/env node
// `verbatim` as an installed package. npm may hold back the script that compiles SQLite, so the first run makes up for it;
// a checkout is set up by scripts/setup.mjs.
import { bundled } from './setup/files.mjs'
import { isNativeModuleThere, nativeModuleObstacle, prepareNativeModule } from './setup/native-module.mjs'
import { openProgress } from './setup/progress.mjs'

if (!isNativeModuleThere()) {
  const obstacle = nativeModuleObstacle()
  if (obstacle !== null) {
    process.stderr.write(`${obstacle}\n`)
    process.exit(1)
  }
  await openProgress().step('SQLite', prepareNativeModule)
}
await import(bundled('main.js'))
