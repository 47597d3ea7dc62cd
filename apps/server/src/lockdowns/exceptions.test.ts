import { credentials } from '@portcullis/contract/collections/credentials'
import { doors } from '@portcullis/contract/collections/doors'
import { lockdownPlans } from '@portcullis/contract/collections/lockdown-plans'
import { lockdowns } from '@portcullis/contract/collections/lockdowns'
import { rules } from '@portcullis/contract/collections/rules'
import { sites } from '@portcullis/contract/collections/sites'
import { units } from '@portcullis/contract/collections/units'
import { userGroups } from '@portcullis/contract/collections/user-groups'
import { users } from '@portcullis/contract/collections/users'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { modesOf } from '../desired/door-modes.ts'
import { startTestServer, type TestServer } from '../test-server.ts'

let server: TestServer
let site: string
let unit: string
let ports = 0
beforeAll(async () => {
  server = await startTestServer()
  const { client } = server
  site = (await client.of(sites).create({ name: 'Harbour', timeZone: 'Africa/Johannesburg' }))._id
  unit = (await client.of(units).create({ name: 'Gatehouse', serial: 'PC-1', site }))._id
})
afterAll(() => server.stop())

const read = (door: string) => server.client.of(doors).get(door)

async function makeDoor(mode?: 'blocked' | 'lockdown') {
  const unitDoor = ++ports
  const { _id } = await server.client.of(doors).create({ name: `Door ${unitDoor}`, site, unit, unitDoor })
  if (mode) await server.client.setDoorMode(_id, mode === 'lockdown' ? { mode } : { mode, until: null })
  return _id
}

async function start(door: string, ...groups: string[]) {
  const { client } = server
  const places = [{ kind: 'Door' as const, id: door }]
  const mayPass = groups.map((id) => ({ kind: 'User Group' as const, id }))
  const plan = await client.of(lockdownPlans).create({ name: 'Everything', places, mayPass })
  return client.startLockdown(plan._id)
}

async function makeGroup(name: string, ...members: string[]) {
  return (await server.client.of(userGroups).create({ name, members }))._id
}

/** For each lockdown, the groups that the signed mode of a door lets pass, with its version. */
async function sent(door: string) {
  const modes = await modesOf(server.database, unit)
  const mode = modes.find(({ doorId }) => doorId === door)
  return { version: mode?.version, mayPass: mode?.lockdowns.map(({ mayPass = [] }) => mayPass) }
}

test('§6 lockdown: members of the groups of the plan still pass by their rules, and only they', async () => {
  const { client } = server
  const door = await makeDoor()
  const [guard, other] = [
    await client.of(users).create({ name: 'Guard' }),
    await client.of(users).create({ name: 'Other' }),
  ]
  const card = async (user: string, number: string) =>
    (await client.of(credentials).create({ kind: 'card', number, user }))._id
  const [ofGuard, ofOther] = [await card(guard._id, '100'), await card(other._id, '200')]
  const group = await makeGroup('Security', guard._id)
  const who = [guard, other].map(({ _id: id }) => ({ kind: 'User' as const, id }))
  const rule = await client.of(rules).create({ name: 'All', effect: 'allow', who, where: [{ kind: 'Door', id: door }] })
  const { _id, mayPass } = await start(door, group)
  expect(mayPass).toEqual([{ _id: group, name: 'Security' }])
  const decide = async (credential: string) => {
    const { verdict, reason, findings } = await client.explorer.decide({ door, credential })
    return { verdict, reason, facts: findings.find(({ step }) => step === 'mode')?.facts }
  }
  const lockedBy = { mode: 'lockdown', lockdowns: [{ _id, name: 'Everything' }] }
  await expect
    .poll(() => decide(ofGuard))
    .toMatchObject({
      verdict: 'grant',
      facts: { ...lockedBy, mayPass: [{ _id: group, name: 'Security' }] },
    })
  expect(await decide(ofOther)).toMatchObject({ verdict: 'deny', reason: 'door_locked_down', facts: lockedBy })
  await client.of(rules).patch(rule._id, { who: who.slice(1) })
  await expect.poll(async () => (await decide(ofGuard)).reason).toBe('no_access')
})

test('§6 lockdown: a change of the plan changes no active lockdown', async () => {
  const { client } = server
  const door = await makeDoor()
  const [group, later] = [await makeGroup('First'), await makeGroup('Later')]
  const { _id, plan } = await start(door, group)
  await client.of(lockdownPlans).patch(plan, { mayPass: [{ kind: 'User Group', id: later }] })
  expect(await sent(door)).toEqual({ version: 1, mayPass: [[group]] })
  expect((await client.of(lockdowns).get(_id)).mayPass).toEqual([{ _id: group, name: 'First' }])
})

test('§6 lockdown: a door has a new version whenever other users may pass, and only then', async () => {
  const { client } = server
  const door = await makeDoor()
  const group = await makeGroup('Security')
  const first = await start(door, group)
  const second = await start(door, group)
  expect(await sent(door)).toEqual({ version: 2, mayPass: [[group], [group]] })
  const closed = await start(door)
  expect(await sent(door)).toEqual({ version: 3, mayPass: [[group], [group], []] })
  await client.endLockdown(first._id)
  expect((await sent(door)).version).toBe(3)
  await client.endLockdown(closed._id)
  expect(await sent(door)).toEqual({ version: 4, mayPass: [[group]] })
  await client.endLockdown(second._id)
  expect(await read(door)).toMatchObject({ mode: 'normal', modeVersion: 5 })
})

test.each(['blocked', 'lockdown'] as const)(
  'a door in the mode %s lets no users pass during a lockdown',
  async (mode) => {
    const door = await makeDoor(mode)
    const group = await makeGroup('Security')
    await start(door, group)
    await start(door, group)
    expect((await sent(door)).mayPass).toEqual([[], []])
  },
)

test('a group that a plan lets pass is not deleted', async () => {
  const group = await makeGroup('Security')
  await start(await makeDoor(), group)
  expect(await server.ask('DELETE', `/api/userGroups/${group}`)).toMatchObject({ status: 422 })
})
