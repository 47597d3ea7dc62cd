import { randomBytes } from 'node:crypto'
import { unitDifference } from '@portcullis/contract/calls/unit-difference'
import { credentials } from '@portcullis/contract/collections/credentials'
import { schedules } from '@portcullis/contract/collections/schedules'
import { units } from '@portcullis/contract/collections/units'
import { users } from '@portcullis/contract/collections/users'
import sql from 'sql-template-tag'
import { afterAll, expect, test } from 'vitest'
import { makeItem, type Written } from '../collections/test-items.ts'
import { startTestServer } from '../test-server.ts'

const server = await startTestServer()
afterAll(() => server.stop())

const soon = { timeout: 30_000 }
let buildings = 0

/** An enrolled unit with one door, in an account of its own. A rule opens the door to the users of a group by day. */
async function makeBuilding() {
  buildings += 1
  const ref = `${server.account}-${buildings}`
  await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref, name: ref } })
  const { client } = await server.signInAs({ role: 'admin', account: ref })
  const make = (collection: Written, fields: Record<string, unknown>) =>
    makeItem({ ask: server.in(ref), collection, fields }).then(({ _id }) => _id)
  const site = await make('sites', { name: 'Cold store', timeZone: 'UTC' })
  const unit = await make('units', { name: 'Gatehouse', serial: ref, site })
  // Before the changes that compile it: enrolled in this way, nothing else does.
  await run(sql`insert into unit_secret (unit_secret_unit, unit_secret_public_key, unit_secret_secret)
    values (${unit}, ${randomBytes(32)}, ${randomBytes(32)})`)
  const door = await make('doors', { name: 'Gate', site, unit, unitDoor: 1 })
  const group = await make('userGroups', { name: 'Staff' })
  const schedule = await make('schedules', { name: 'Day', windows: [{ days: [1], start: '08:00', end: '17:00' }] })
  const where = [{ kind: 'Site', id: site }]
  await make('rules', { name: 'Staff', effect: 'allow', who: [{ kind: 'User Group', id: group }], where, schedule })
  return {
    ref,
    client,
    make,
    site,
    group,
    unit,
    door,
    schedule,
    addUser,
    confirm,
    difference: () => client.unitDifference(unit),
  }

  async function addUser(name: string, number: string) {
    const user = await client.of(users).create({ name, groups: [group] })
    const card = await client.of(credentials).create({ kind: 'card', number, user: user._id })
    return { user: user._id, card: card._id }
  }

  /** As if the unit had applied a configuration with this many credentials, once it is compiled. */
  async function confirm(size: number) {
    const compiled = async () => (await client.of(units).get(unit)).configSize?.credentials
    await expect.poll(compiled, soon).toBe(size)
    await run(sql`update unit_state set unit_state_applied_version = unit_state_desired_version
      where unit_state_id = ${unit}`)
  }
}

function run(query: ReturnType<typeof sql>) {
  return server.database.asSystem((tx) => tx.run(query))
}

test('before a unit has applied anything, everything is added', async () => {
  const { addUser, difference } = await makeBuilding()
  const { user } = await addUser('Nomsa', '1')
  await expect.poll(difference, soon).toMatchObject({
    comparison: 'complete',
    appliedVersion: null,
    counts: [
      { kind: 'card', change: 'added', count: 1 },
      { kind: 'cardholders', change: 'added', count: 1 },
      { kind: 'doors', change: 'added', count: 1 },
      { kind: 'rules', change: 'added', count: 1 },
      { kind: 'schedules', change: 'added', count: 1 },
      { kind: 'calendars', change: 'added', count: 1 },
    ],
    missing: { total: 1, items: [{ _id: user, name: 'Nomsa' }] },
    outdated: { total: 0, items: [] },
  })
})

test('while a unit is out of sync, what changes is counted by kind and its cardholders are named', async () => {
  const { client, addUser, confirm, schedule, difference } = await makeBuilding()
  const nomsa = await addUser('Nomsa', '1')
  const thabo = await addUser('Thabo', '2')
  await confirm(2)
  expect(await difference()).toMatchObject({ comparison: 'complete', counts: [], missing: { total: 0 } })

  const lena = await addUser('Lena', '3')
  await client.of(credentials).create({ kind: 'mobile', number: 'phone-of-nomsa', user: nomsa.user })
  await client.of(users).patch(thabo.user, { status: 'suspended' })
  await client.of(schedules).patch(schedule, { windows: [{ days: [1], start: '07:00', end: '17:00' }] })
  await expect.poll(difference, soon).toMatchObject({
    counts: [
      { kind: 'card', change: 'added', count: 1 },
      { kind: 'card', change: 'removed', count: 1 },
      { kind: 'mobile', change: 'added', count: 1 },
      { kind: 'cardholders', change: 'added', count: 1 },
      { kind: 'cardholders', change: 'removed', count: 1 },
      { kind: 'schedules', change: 'changed', count: 1 },
    ],
    missing: {
      total: 2,
      items: [
        { _id: lena.user, name: 'Lena' },
        { _id: nomsa.user, name: 'Nomsa' },
      ],
    },
    outdated: { total: 1, items: [{ _id: thabo.user, name: 'Thabo' }] },
  })
})

test('a card with another number is one changed card, and its user misses the new one and still has the old one', async () => {
  const { client, addUser, confirm, difference } = await makeBuilding()
  const { user, card } = await addUser('Nomsa', '1')
  await confirm(1)
  await client.of(credentials).patch(card, { number: '2' })
  await expect.poll(difference, soon).toMatchObject({
    counts: [{ kind: 'card', change: 'changed', count: 1 }],
    missing: { total: 1, items: [{ _id: user }] },
    outdated: { total: 1, items: [{ _id: user }] },
  })
})

test('cardholders whose group gets another rule are counted as changed, and miss nothing', async () => {
  const { addUser, make, confirm, difference, group, site } = await makeBuilding()
  for (const number of ['1', '2']) await addUser(`User ${number}`, number)
  await confirm(2)
  const where = [{ kind: 'Site', id: site }]
  await make('rules', { name: 'Night', effect: 'allow', who: [{ kind: 'User Group', id: group }], where })
  await expect.poll(difference, soon).toMatchObject({
    comparison: 'complete',
    counts: [
      { kind: 'cardholders', change: 'changed', count: 2 },
      { kind: 'rules', change: 'added', count: 1 },
    ],
    missing: { total: 0 },
    outdated: { total: 0 },
  })
})

test('a deleted card is a removed credential, because its kind is no longer known', async () => {
  const { client, addUser, confirm, difference } = await makeBuilding()
  await addUser('Nomsa', '1')
  const { card } = await addUser('Thabo', '2')
  await confirm(2)
  await client.of(credentials).remove(card)
  await expect.poll(difference, soon).toMatchObject({
    counts: [
      { kind: 'credential', change: 'removed', count: 1 },
      { kind: 'cardholders', change: 'removed', count: 1 },
    ],
    outdated: { total: 1, items: [{ name: 'Thabo' }] },
  })
})

test('cardholders who lose only their room are not among those without access', async () => {
  const { client, unit, addUser, confirm, difference } = await makeBuilding()
  const nomsa = await addUser('Nomsa', '1')
  await addUser('Thabo', '2')
  await addUser('Lena', '3')
  await confirm(3)
  const capacity = JSON.stringify({ doors: 1, credentials: 1, schedules: 1, events: 10 })
  await run(sql`update unit_state set unit_state_capacity = ${capacity}::jsonb where unit_state_id = ${unit}`)
  await client.of(users).patch(nomsa.user, { status: 'suspended' })
  await expect.poll(difference, soon).toMatchObject({ outdated: { total: 1, items: [{ _id: nomsa.user }] } })
})

test('only the first 50 cardholders are named, by name', async () => {
  const { addUser, difference } = await makeBuilding()
  const numbers = Array.from({ length: 51 }, (_, index) => `${index + 10}`)
  for (const number of numbers.toReversed()) await addUser(`User ${number}`, number)
  await expect.poll(async () => (await difference()).missing.total, soon).toBe(51)
  const { items } = (await difference()).missing
  expect(items.map(({ name }) => name)).toEqual(numbers.slice(0, 50).map((number) => `User ${number}`))
})

const largePiece = JSON.stringify([{ section: 'holders', digest: 'other', length: 100_000_001 }])

test.each([
  ['is no longer stored', 'not_comparable', sql`delete from unit_config`],
  ['was stored by an earlier release', 'not_comparable', sql`update unit_config set unit_config_body = '{}'`],
  [
    'has too many different entries',
    'too_different',
    sql`update unit_config set unit_config_pieces = ${largePiece}::jsonb`,
  ],
])('an applied configuration that %s is not compared', async (_name, comparison, change) => {
  const { unit, addUser, confirm, difference } = await makeBuilding()
  await confirm(0)
  await addUser('Nomsa', '1')
  await expect.poll(async () => (await difference()).missing.total, soon).toBe(1)
  const { appliedVersion } = await difference()
  await run(sql`${change} where unit_config_unit = ${unit} and unit_config_version = ${appliedVersion}`)
  expect(await difference()).toMatchObject({ comparison, appliedVersion, counts: [], missing: { total: 0, items: [] } })
})

test('a unit that is not enrolled has no configuration to compare', async () => {
  const { client, make } = await makeBuilding()
  const unit = await make('units', { name: 'Spare', serial: 'spare' })
  expect(await client.unitDifference(unit)).toMatchObject({ comparison: 'not_compiled', desiredVersion: null })
})

test('other accounts get 404, and only users who may see cardholders get their names', async () => {
  const { ref, unit, addUser, difference } = await makeBuilding()
  await addUser('Nomsa', '1')
  await expect.poll(async () => (await difference()).missing.total, soon).toBe(1)
  const stranger = await makeBuilding()
  await expect(stranger.client.unitDifference(unit)).rejects.toMatchObject({ code: 'not_found' })
  await expect(server.client.unitDifference(unit)).rejects.toMatchObject({ code: 'not_found' })
  expect(await server.client.unitDifference(unit, { allAccounts: 'yes' })).toMatchObject({
    missing: { items: [{ name: 'Nomsa' }] },
  })
  const named: Record<string, unknown> = {}
  for (const role of ['installer', 'accessManager', 'reportingUser', 'appUser'] as const) {
    const user = await server.signInAs({ role, account: ref })
    const answer = await user.ask('GET', `/api/units/${unit}/difference`)
    named[role] = answer.status === 200 ? unitDifference.output.parse(answer.json).missing : answer.status
  }
  expect(named).toEqual({
    installer: { total: 1, items: [] },
    accessManager: { total: 1, items: [expect.objectContaining({ name: 'Nomsa' })] },
    reportingUser: 403,
    appUser: 403,
  })
})
