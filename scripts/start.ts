import { readSettings } from '../apps/server/src/run-server.ts'
import { buildConsole } from './build-console.ts'

// An invalid setting is reported before the console is built.
readSettings()

const since = performance.now()
const outcome = await buildConsole()
const seconds = ((performance.now() - since) / 1000).toFixed(1)
console.log(`Console: ${outcome} (${seconds} s)`)
if (outcome === 'failed') process.exit(1)

// In the same process, so that signals from npm reach the server directly.
await import('../apps/demonstration/src/main.ts')
