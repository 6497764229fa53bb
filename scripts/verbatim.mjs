#!/usr/bin/env node
// `verbatim` as an installed package. npm may hold back the script that compiles SQLite, so the first run makes up for it;
// a checkout is set up by scripts/setup.mjs. It leaves out what this system never reads, too.
import { leaveOutOfOurs } from './setup/dependencies.mjs'
import { bundled } from './setup/files.mjs'
import { isNativeModuleThere, nativeModuleObstacle, prepareNativeModule } from './setup/native-module.mjs'
import { openProgress } from './setup/progress.mjs'

if (!isNativeModuleThere()) {
  const obstacle = nativeModuleObstacle()
  if (obstacle !== null) {
    process.stderr.write(`${obstacle}\n`)
    process.exit(1)
  }
  const progress = openProgress()
  await progress.step('SQLite', prepareNativeModule)
  await progress.step("other systems' files", leaveOutOfOurs)
}
await import(bundled('main.js'))
