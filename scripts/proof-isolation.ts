import { parseArgs } from 'node:util'
import { signedInClient } from '../packages/client/src/signed-in-client.ts'
import { administrator } from '../e2e/administrator.ts'
import { attacksFor } from '../e2e/isolation/all-attacks.ts'
import { buildEstate } from '../e2e/isolation/estate.ts'
import { proofTable, storyOf } from '../e2e/isolation/proof-table.ts'
import { openArena } from '../e2e/isolation/run-attacks.ts'
import { startServerProcess } from '../e2e/isolation/server-process.ts'

/**
 * Attacks a real server from outside, and measures the effects on its other users and controllers. npm run
 * proof:isolation -- [--cases 100000] [--seed N] [--only TEXT]
 */
const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    only: { type: 'string', default: '' },
  },
})
const fuzzing = { cases: Number(values.cases), seed: Number(values.seed) }

const server = await startServerProcess()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void server.stop().finally(() => process.exit(1)))
}
console.log(
  `The server is process ${server.pid} at ${server.url}; ${fuzzing.cases} random cases, seed ${fuzzing.seed}.`,
)
try {
  const { headers } = await signedInClient({ baseUrl: server.url, ...administrator })
  const estate = await buildEstate({ ...server, headers })
  const arena = await openArena({ server, estate, fuzzing, onRow: (row) => console.log(storyOf(row).join('\n')) })
  try {
    await arena.idle()
    for (const attack of attacksFor(fuzzing).filter(({ name }) => name.includes(values.only))) {
      if (server.isRunning()) await arena.attack(attack)
    }
    await arena.idle()
  } finally {
    await arena.close()
  }
  console.log(`\n${proofTable(arena.rows).join('\n')}`)
  const failed = arena.rows.filter(({ verdict }) => verdict === 'FAILED')
  console.log(failed.length === 0 ? '\nNo attack stopped or slowed another party.' : `\n${failed.length} failed.`)
  if (failed.length > 0) process.exitCode = 1
} finally {
  await server.stop()
}
