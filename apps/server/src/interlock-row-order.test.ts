import sql from 'sql-template-tag'
import { afterAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { makeItem } from './collections/test-items.ts'
import { arrive } from './gateway/presence.ts'
import { noteInterlockState } from './gateway/shared-interlocks.ts'
import { arrival } from './gateway/test-arrival.ts'
import { wiredDoor } from './tasks/test-door.ts'
import { startTestServer } from './test-server.ts'

const server = await startTestServer()
afterAll(server.stop)
const { ask, database } = server

const pidRow = z.object({ pid: z.int() })

/** Two doors of one controller that share an interlock with a third one; the later of their ids was reported first. */
async function reportedDoors() {
  const { door, unit } = await wiredDoor(ask)
  const other = await makeItem({ ask, collection: 'doors', fields: { unit, unitDoor: 2 } })
  const doors = [door, other._id].toSorted()
  const shared = [...doors, (await wiredDoor(ask)).door]
  await makeItem({ ask, collection: 'interlockingGroups', fields: { doors: shared } })
  const connect = () => arrive(database, { unit, holder: unit, connection: 'nonce', ...arrival })
  await connect()
  const numberOf = (id: string) => (id === door ? 1 : 2)
  const report = async (isSecure: boolean) => {
    const reported = doors.toReversed().map((id) => ({ door: numberOf(id), isSecure }))
    await noteInterlockState(database, { unit, nonce: 'nonce', doors: reported })
  }
  for (const id of doors.toReversed())
    await noteInterlockState(database, { unit, nonce: 'nonce', doors: [{ door: numberOf(id), isSecure: true }] })
  const join = async () => {
    await makeItem({ ask, collection: 'interlockingGroups', fields: { doors: shared.toReversed() } })
  }
  return { doors, work: { connect, report: () => report(false), join } }
}

test.each(['connect', 'report', 'join'] as const)(
  'what units have reported is locked in the order of the doors, so that no two transactions wait for each other: %s',
  async (name) => {
    const { doors, work } = await reportedDoors()
    const rowOf = (id: string | undefined) => sql`select from interlock_state where interlock_state_door = ${id}`
    let working: Promise<unknown> | undefined
    await database.asSystem(async (tx) => {
      expect(await tx.run(sql`${rowOf(doors[0])} for update`)).toBe(1)
      const { pid } = (await tx.first(pidRow, sql`select pg_backend_pid() as pid`)) ?? { pid: 0 }
      working = work[name]()
      const waiting = sql`select from pg_stat_activity where ${pid}::int = any(pg_blocking_pids(pid))`
      await vi.waitUntil(async () => (await database.asSystem((other) => other.run(waiting))) > 0, 10_000)
      expect(await tx.run(sql`${rowOf(doors[1])} for update nowait`)).toBe(1)
    })
    await working
  },
)
