#!/usr/bin/env node
// `verbatim` as an installed package. npm may hold back the script that compiles SQLite, so the first run makes up for it;
// a checkout is set up by scripts/setup.mjs.
import { bundled } from './setup/files.mjs'
import { isNativeModuleThere, prepareNativeModule } from './setup/native-module.mjs'
import { openProgress } from './setup/progress.mjs'

if (!isNativeModuleThere()) await openProgress().step('SQLite', prepareNativeModule)
await import(bundled('main.js'))
