import pino from 'pino'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { ChangeFeed } from '../changes/change-feed.ts'
import { passagesInOutbox } from '../changes/unit-outcomes.ts'
import { missedPassages, passagesForUnits } from '../gateway/passages-for-units.ts'
import { type GatewayWorld, gatewayWorld, ids, nomsasCard } from '../gateway/test-world.ts'
import { testNumbers } from '../numbers/test-numbers.ts'
import { Policies } from '../policy/policies.ts'
import { EarlierConfigs } from './earlier-configs.ts'
import { ingest } from './ingest.ts'

const [area, otherUnit, otherDoor] = [uuidv7(), uuidv7(), uuidv7()]
const now = Date.parse('2026-03-01T09:00:00Z')
const ago = (seconds: number) => new Date(now - seconds * 1_000).toISOString()

let world: GatewayWorld
let send: (records: Body[], at?: { logId?: string; clockOffsetMs?: number }) => Promise<unknown>
beforeEach(async () => {
  world = await gatewayWorld()
  const { accountKey: key, database } = world
  await world.run(sql`insert into unit (unit_id, unit_account, unit_name, unit_serial, unit_site)
    values (${otherUnit}, ${key}, 'Back', 'PC-2', ${ids.site})`)
  await world.run(sql`insert into door (door_id, door_account, door_name, door_site, door_unit, door_unit_door,
      door_enabled, door_relock_after_seconds, door_held_open_after_seconds, door_directions)
    values (${otherDoor}, ${key}, 'Back door', ${ids.site}, ${otherUnit}, 1, true, 5, 30, '{"entry":true,"exit":true}')`)
  await world.run(sql`insert into door_group (door_group_id, door_group_account, door_group_name, door_group_anti_passback)
    values (${area}, ${key}, 'Vault', '{"kind":"hard","minutes":10}')`)
  await world.run(sql`insert into link (link_account, link_owner, link_field, link_kind, link_target)
    values (${key}, ${area}, 'members', 'Door', ${ids.door}), (${key}, ${area}, 'members', 'Door', ${otherDoor})`)
  const feed = new ChangeFeed({ database, logins: { system: '' }, notify: 'off' })
  const policies = new Policies({ database, feed, numbers: testNumbers() })
  const earlierConfigs = new EarlierConfigs({ database, log: pino({ level: 'silent' }) })
  const usual = uuidv7()
  const sequences = new Map<string, number>()
  send = (bodies, { logId = usual, clockOffsetMs = 0 } = {}) => {
    const from = sequences.get(logId) ?? 0
    sequences.set(logId, from + bodies.length)
    const records = bodies.map((body, at) => ({ seq: from + at + 1, body }))
    const frame = { unit: ids.unit, logId, records, clockOffsetMs }
    return ingest({ database, policies, earlierConfigs, now: () => now }, frame)
  }
})
afterEach(() => world.close())

type Body = ReturnType<typeof opened> | (ReturnType<typeof access> & { passed?: boolean })

const opened = (secondsAgo: number) =>
  ({ type: 'door', at: ago(secondsAgo), door: 1, configVersion: null, what: 'opened' }) as const
const access = (secondsAgo: number, direction: 'entry' | 'exit' = 'entry', verdict: 'grant' | 'deny' = 'grant') =>
  ({
    ...nomsasCard,
    direction,
    type: 'access',
    at: ago(secondsAgo),
    configVersion: null,
    verdict,
    reason: null,
  }) as const

const atOpenDoor = (secondsAgo: number) => ({ ...access(secondsAgo), passed: true })

const passages = () => missedPassages(world.database, { unit: otherUnit, upTo: undefined })
const nomsa = (direction: 'entry' | 'exit' | null, secondsAgo: number) => [
  { area, user: ids.nomsa, direction, at: ago(secondsAgo) },
]
/** On which side of a door users were last, however late that was reported. */
const sides = async () => {
  const rows = await world.rows(
    z.object({ side: z.string() }),
    sql`select coalesce(passage_direction, passage_late_direction) as side from passage`,
  )
  return rows.map(({ side }) => side)
}
const announced = () =>
  world.rows(
    z.object({ passage: z.uuid() }),
    sql`select change_item as passage from change where change_collection = ${passagesInOutbox}`,
  )

test('a user has passed when the door opens after the grant, also if a later frame reports it', async () => {
  await send([access(9, 'entry', 'deny'), opened(8), access(7)])
  expect(await passages()).toEqual([])
  await send([opened(6)])
  expect(await passages()).toMatchObject(nomsa('entry', 6))
  expect(await announced()).toHaveLength(1)
})

test.each([
  ['after the unlock time', [access(20), opened(10)]],
  ['for the next user', [access(20, 'exit'), opened(19), opened(18)]],
])('an opening %s is no passage of that user', async (_, records) => {
  await send(records)
  const [passage] = await passages()
  expect(passage?.at ?? ago(19)).toBe(ago(19))
})

test('a user who is granted access at an open door has passed at that moment', async () => {
  await send([opened(20), atOpenDoor(9)])
  expect(await passages()).toMatchObject(nomsa('entry', 9))
  await send([access(7, 'exit'), opened(6), opened(5)])
  expect(await passages()).toMatchObject(nomsa('exit', 6))
})

test.each([
  ['after an earlier opening', [opened(12), access(9), opened(8)], 'entry', 8],
  ['of which the last one counts', [opened(19), access(9), access(8, 'exit'), opened(7)], 'exit', 7],
] as const)('one frame can have several openings of a door, and a grant %s', async (_, records, direction, seconds) => {
  await send([...records])
  expect(await passages()).toMatchObject(nomsa(direction, seconds))
})

test('an earlier passage that is reported later changes nothing, and is not announced', async () => {
  await send([access(11, 'exit'), opened(10)])
  await send([access(31, 'entry'), opened(30)], { logId: uuidv7() })
  expect(await passages()).toMatchObject(nomsa('exit', 10))
  expect(await announced()).toHaveLength(1)
})

test('times are those of the server, whatever the clock of the unit', async () => {
  const clockOffsetMs = -3_600_000
  await send([access(3_605), opened(3_604)], { clockOffsetMs })
  expect(await passages()).toMatchObject(nomsa('entry', 4))
})

test('a passage that is reported hours later denies nothing, but ends the knowledge of where the user is', async () => {
  await send([access(10_001), opened(10_000)], { logId: uuidv7() })
  expect(await passages()).toMatchObject(nomsa(null, 10_000))
  expect(await sides()).toEqual(['entry'])
  await send([access(11), opened(10)])
  await send([access(9_001, 'exit'), opened(9_000)], { logId: uuidv7() })
  expect(await passages()).toMatchObject(nomsa('entry', 10))
})

test('a record with an impossible time is stored', async () => {
  await send([
    { ...access(0), at: '0000-01-01T00:00:00.000Z' },
    { ...opened(0), at: '0000-01-01T00:00:00.000Z' },
  ])
  expect(await passages()).toMatchObject([{ direction: null }])
})

test('an area with the doors of one unit has passages that are not shared, and one without anti-passback has no passages', async () => {
  await world.run(sql`update door set door_unit = null, door_unit_door = null where door_id = ${otherDoor}`)
  await send([access(9), opened(8)])
  expect([await announced(), await passages(), await sides()]).toEqual([[], [], ['entry']])
  await world.changePolicy(
    sql`update door set door_unit = ${otherUnit}, door_unit_door = 1 where door_id = ${otherDoor}`,
  )
  await send([access(7), opened(6)])
  expect(await passages()).toMatchObject(nomsa('entry', 6))
  await world.run(sql`update door_group set door_group_anti_passback = null`)
  await world.run(sql`update door_group set door_group_anti_passback = '{"kind":"hard","minutes":10}'`)
  expect(await passages()).toEqual([])
})

test('only the other units of the area get a passage, and a unit without memory its own', async () => {
  await send([access(9), opened(8)])
  const items = (await announced()).map(({ passage }) => passage)
  const shared = await passagesForUnits(world.database, items)
  expect([...shared.keys()]).toEqual([otherUnit])
  const upTo = new Date().toISOString()
  const missed = (unit: string, since: string | undefined) => missedPassages(world.database, { unit, upTo: since })
  expect(await missed(ids.unit, undefined)).toHaveLength(1)
  expect(await missed(ids.unit, upTo)).toEqual([])
  expect(await missed(otherUnit, upTo)).toHaveLength(1)
  expect(await missed(otherUnit, new Date(Date.now() + 600_000).toISOString())).toEqual([])
  expect(await missed(uuidv7(), undefined)).toEqual([])
})

test('a unit gets the passages of a timed area only within its minutes', async () => {
  await send([access(9), opened(8)])
  await world.run(sql`update door_group set door_group_anti_passback = '{"kind":"timed","minutes":1}'`)
  await world.run(sql`update passage set passage_at = now() - interval '50 seconds'`)
  expect(await passages()).toHaveLength(1)
  await world.run(sql`update passage set passage_at = now() - interval '70 seconds'`)
  expect(await passages()).toEqual([])
})
