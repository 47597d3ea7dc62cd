import { buildConsole } from './build-console.ts'

const since = performance.now()
const outcome = await buildConsole()
const seconds = ((performance.now() - since) / 1000).toFixed(1)
console.log(`Console: ${outcome} (${seconds} s)`)
if (outcome === 'failed') process.exit(1)

// In this very process: what npm is sent arrives where the server stops, with nothing between.
await import('../apps/demonstration/src/main.ts')
