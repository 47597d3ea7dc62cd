import { randomUUID } from 'node:crypto'
import { siteStates } from '@portcullis/contract/calls/sites'
import sql from 'sql-template-tag'
import { afterAll, describe, expect, test } from 'vitest'
import { makeItem } from './collections/test-items.ts'
import { inSync, startUnit, wiredDoor } from './tasks/test-door.ts'
import { startTestServer, type TestUser } from './test-server.ts'

const server = await startTestServer()
afterAll(server.stop)
const { ask } = server

async function insideOf(site: string, as: TestUser['ask'] = ask) {
  const { sites } = siteStates.output.parse((await as('GET', `/api/sites/states?ids=${site}`)).json)
  return sites[0]?.inside
}

type AreaOptions = { kind?: 'hard' | 'soft' | 'timed'; exit?: boolean; doors?: string[]; site?: string }

/** An anti-passback area with a door of a site. */
async function areaWithDoor({ kind = 'hard', exit = true, doors = [], ...fields }: AreaOptions = {}) {
  const site = fields.site ?? (await makeItem({ ask, collection: 'sites' }))._id
  const door = await wiredDoor(ask, { site, directions: { entry: true, exit } })
  const antiPassback = { kind, minutes: 10 }
  const area = await makeItem({
    ask,
    collection: 'doorGroups',
    fields: { members: [door.door, ...doors], antiPassback },
  })
  return { site, area: area._id, ...door }
}

type Passage = { area: string; user?: string; direction?: 'entry' | 'exit' }

async function pass({ area, user, direction = 'entry' }: Passage) {
  const passing = user ?? (await makeItem({ ask, collection: 'users' }))._id
  await server.database.asSystem((tx) =>
    tx.run(sql`insert into passage (passage_id, passage_area, passage_user, passage_direction, passage_at)
      values (gen_random_uuid(), ${area}, ${passing}, ${direction}, now())
      on conflict (passage_area, passage_user) do update set passage_direction = excluded.passage_direction,
        passage_at = excluded.passage_at`),
  )
  return passing
}

const forgive = (area: string, user: string | null) =>
  ask('POST', `/api/doorGroups/${area}/forgive`, { body: { user } })

describe('§2 users inside a site', () => {
  test('a user is inside from the entry until the exit, also if the area has one controller', async () => {
    const { site, door, unit, serial } = await areaWithDoor()
    const user = (await makeItem({ ask, collection: 'users' }))._id
    const number = randomUUID().slice(0, 13)
    await makeItem({ ask, collection: 'credentials', fields: { kind: 'card', number, user } })
    const fields = { who: [{ kind: 'User', id: user }], where: [{ kind: 'Door', id: door }] }
    await makeItem({ ask, collection: 'rules', fields })
    expect(await insideOf(site)).toBe(0)
    const virtual = await startUnit(server, { unit, serial })
    await inSync(server, unit)
    const present = (direction: 'entry' | 'exit') => virtual.present({ door: 1, kind: 'card', number, direction })
    expect(await present('entry')).toMatchObject({ verdict: 'grant' })
    await expect.poll(() => insideOf(site), { timeout: 60_000 }).toBe(1)
    expect(await present('exit')).toMatchObject({ verdict: 'grant' })
    await expect.poll(() => insideOf(site), { timeout: 60_000 }).toBe(0)
  })

  test('a user inside several areas of a site counts once', async () => {
    const { site, area } = await areaWithDoor()
    const other = await areaWithDoor({ site })
    const user = await pass({ area })
    await pass({ area: other.area, user })
    await pass({ area: other.area })
    expect(await insideOf(site)).toBe(2)
    await pass({ area, user, direction: 'exit' })
    expect(await insideOf(site)).toBe(2)
    await pass({ area: other.area, user, direction: 'exit' })
    expect(await insideOf(site)).toBe(1)
  })

  test('a user who was forgiven after the passage is not inside, but one who enters later is', async () => {
    const { site, area } = await areaWithDoor()
    const [one] = [await pass({ area }), await pass({ area }), await pass({ area })]
    await forgive(area, one)
    expect(await insideOf(site)).toBe(2)
    await pass({ area, user: one })
    expect(await insideOf(site)).toBe(3)
    await forgive(area, null)
    expect(await insideOf(site)).toBe(0)
    await pass({ area })
    expect(await insideOf(site)).toBe(1)
  })

  test('a site without an area, or whose area has no exit reader, has no number', async () => {
    const without = await areaWithDoor({ exit: false })
    await pass(without)
    expect(await insideOf(without.site)).toBeNull()
    const exit = await wiredDoor(ask, { directions: { entry: false, exit: true } })
    const elsewhere = await areaWithDoor({ exit: false, doors: [exit.door] })
    await pass(elsewhere)
    expect(await insideOf(elsewhere.site)).toBe(1)
    await ask('PATCH', `/api/doorGroups/${elsewhere.area}`, { body: { antiPassback: null } })
    expect(await insideOf(elsewhere.site)).toBeNull()
  })

  test('an area of another account does not count', async () => {
    const { site, area } = await areaWithDoor()
    await pass({ area })
    const reporting = await server.signInAs({ role: 'reportingUser' })
    expect(await insideOf(site, reporting.ask)).toBe(1)
    const elsewhere = await makeItem({ ask, collection: 'accounts' })
    await server.database.asSystem((tx) =>
      tx.run(sql`update door_group set door_group_account = (select account_key from account
        where account_id = ${elsewhere._id}) where door_group_id = ${area}`),
    )
    expect(await insideOf(site)).toBeNull()
  })
})
