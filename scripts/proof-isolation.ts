import { parseArgs } from 'node:util'
import { attacks } from '../e2e/isolation/all-attacks.ts'
import { buildEstate } from '../e2e/isolation/estate.ts'
import { proofTable, storyOf } from '../e2e/isolation/proof-table.ts'
import { openArena } from '../e2e/isolation/run-attacks.ts'
import { startServerProcess } from '../e2e/isolation/server-process.ts'

/**
 * Attacks a real server from outside, and measures what its other users and controllers notice.
 *   npm run proof:isolation -- [--only TEXT]
 */
const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } })

const server = await startServerProcess()
console.log(`The server is process ${server.pid} at ${server.url}.`)
try {
  const estate = await buildEstate(server)
  const arena = await openArena({ server, estate, onRow: (row) => console.log(storyOf(row).join('\n')) })
  await arena.idle()
  for (const attack of attacks.filter(({ name }) => name.includes(values.only))) {
    if (server.isRunning()) await arena.attack(attack)
  }
  await arena.idle()
  await arena.close()
  console.log(`\n${proofTable(arena.rows).join('\n')}`)
  const failed = arena.rows.filter(({ verdict }) => verdict === 'FAILED')
  console.log(failed.length === 0 ? '\nNo attack stopped or slowed another party.' : `\n${failed.length} failed.`)
  if (failed.length > 0) process.exitCode = 1
} finally {
  await server.stop()
}
