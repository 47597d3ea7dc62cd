import { accessOfDoors, accessOfUsers, maxAccessRows } from '@portcullis/contract/calls/access-views'
import { doorAccess, userAccess } from '@portcullis/contract/calls/explorer'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, expect, test } from 'vitest'
import { startTestServer } from '../test-server.ts'
import { makeBuilding } from './test-building.ts'

const server = await startTestServer()
afterAll(server.stop)

const { make, addPerson, account, site, door, schedule, group, rule } = await makeBuilding(server, 'harbour')
const nomsa = await addPerson('Nomsa Dlamini', { number: '0412-1' })
const thabo = await addPerson('Thabo Nkosi', { number: '0412-2', groups: [] })
const lena = await addPerson('Lena Vogt', { number: '0412-3', status: 'suspended' })
const always = await make('rules', {
  name: 'Thabo, always',
  effect: 'allow',
  who: [
    { kind: 'User', id: thabo._id },
    { kind: 'User', id: lena._id },
  ],
  where: [{ kind: 'Door', id: door._id }],
})
await make('rules', {
  name: 'Switched off',
  effect: 'allow',
  enabled: false,
  who: [{ kind: 'User', id: thabo._id }],
  where: [{ kind: 'Door', id: door._id }],
})
const manager = await server.signInAs({ role: 'accessManager', account })

const mondayMorning = '2027-02-08T09:00:00.000Z'
const saturday = '2027-02-06T12:00:00.000Z'

async function byUser(users: readonly string[], { at = mondayMorning, ask = manager.ask } = {}) {
  const answer = await ask('GET', `/api/rules/byUser?users=${users.join(',')}&at=${at}`)
  expect(answer.status).toBe(200)
  return accessOfUsers.output.parse(answer.json).items
}

async function byDoor(doors: readonly string[], { at = mondayMorning, ask = manager.ask } = {}) {
  const answer = await ask('GET', `/api/rules/byDoor?doors=${doors.join(',')}&at=${at}`)
  expect(answer.status).toBe(200)
  return accessOfDoors.output.parse(answer.json).items
}

test('each user has the enabled rules that name them, with the group through which they do', async () => {
  const [ofNomsa, ofThabo] = await byUser([nomsa._id, thabo._id])
  expect(ofNomsa).toMatchObject({
    _id: nomsa._id,
    rules: [
      {
        _id: rule._id,
        name: 'Warehouse staff',
        schedule: { _id: schedule._id, name: 'Day shift' },
        who: { kind: 'User Group', _id: group._id, name: 'Warehouse' },
        where: { kind: 'Site', _id: site._id, name: 'Cold Store' },
        more: 0,
      },
    ],
  })
  expect(ofThabo).toMatchObject({
    moreRules: 0,
    rules: [
      { direction: 'both', adhoc: null, _id: always._id, schedule: null, who: { kind: 'User', name: 'Thabo Nkosi' } },
    ],
  })
})

test('a door has the rules that name it or its site, and says how many more users they name', async () => {
  const [row] = await byDoor([door._id])
  expect(row?.rules.map(({ name, who, where, more }) => [name, who?.name, where?.kind, more])).toEqual([
    ['Thabo, always', 'Thabo Nkosi', 'Door', 1],
    ['Warehouse staff', 'Warehouse', 'Site', 0],
  ])
})

test('the numbers are those of the explorer, at the same time', async () => {
  for (const [at, openToNomsa, users] of [
    [mondayMorning, 1, 2],
    [saturday, 0, 1],
  ] as const) {
    const [ofNomsa, ofLena] = await byUser([nomsa._id, lena._id], { at })
    expect([ofNomsa?.openNow, ofLena?.openNow]).toEqual([openToNomsa, 0])
    expect((await byDoor([door._id], { at }))[0]?.openNow).toBe(users)
    const ofUser = await manager.ask('GET', `/api/users/${nomsa._id}/access?at=${at}`)
    expect(userAccess.output.parse(ofUser.json).counts.now).toBe(openToNomsa)
    const atDoor = await manager.ask('GET', `/api/doors/${door._id}/access?at=${at}`)
    expect(doorAccess.output.parse(atDoor.json).counts.now).toBe(users)
  }
})

test('a rule of an account above has no name', async () => {
  const where = [{ kind: 'Site', id: site._id }]
  const who = [{ kind: 'User Group', id: group._id }]
  await make('rules', { name: 'From above', effect: 'deny', direction: 'exit', who, where }, server.account)
  const [row] = await byUser([nomsa._id])
  expect(row?.rules.map(({ _id, name, effect }) => [_id, name, effect])).toEqual([
    [rule._id, 'Warehouse staff', 'allow'],
    [null, null, 'deny'],
  ])
  expect((await byDoor([door._id]))[0]?.rules.at(-1)).toMatchObject({
    name: null,
    effect: 'deny',
    who: { name: 'Warehouse' },
  })
})

test('of many rules only the first are named, and the others are counted', async () => {
  const busy = await addPerson('Busy Body', { number: '0412-9', groups: [] })
  for (let at = 1; at <= 7; at += 1) {
    const who = [{ kind: 'User', id: busy._id }]
    await make('rules', { name: `Rule ${at}`, effect: 'allow', who, where: [{ kind: 'Door', id: door._id }] })
  }
  const [row] = await byUser([busy._id])
  expect([row?.rules.map(({ name }) => name), row?.moreRules]).toEqual([
    ['Rule 1', 'Rule 2', 'Rule 3', 'Rule 4', 'Rule 5'],
    2,
  ])
})

test('ids out of scope and absent ones are left out', async () => {
  await make('accounts', { ref: 'other-branch' }, server.account)
  const ask = server.in('other-branch')
  expect(await byUser([nomsa._id, uuidv7()], { ask })).toEqual([])
  expect(await byDoor([door._id, uuidv7()], { ask })).toEqual([])
})

test('too many ids are refused, and so are users who may not view users', async () => {
  const many = Array.from({ length: maxAccessRows + 1 }, () => uuidv7())
  expect((await manager.ask('GET', `/api/rules/byUser?users=${many.join(',')}`)).status).toBe(400)
  const installer = await server.signInAs({ role: 'installer', account })
  expect((await installer.ask('GET', `/api/rules/byDoor?doors=${door._id}`)).status).toBe(403)
})
