import { leftOut } from '@portcullis/contract/calls/left-out'
import { changePreview } from '@portcullis/contract/change-preview'
import { units } from '@portcullis/contract/collections/units'
import { afterAll, expect, test, vi } from 'vitest'
import { makeItem } from './collections/test-items.ts'
import { startUnit, wiredDoor } from './tasks/test-door.ts'
import { startTestServer } from './test-server.ts'

const server = await startTestServer()
afterAll(server.stop)
const { ask } = server

/** A user with a card. */
async function cardholder(groups: string[] = []) {
  const user = await makeItem({ ask, collection: 'users', fields: { groups } })
  await makeItem({ ask, collection: 'credentials', fields: { kind: 'card', number: `P-${user._id}`, user: user._id } })
  return { _id: user._id, name: String(user['name']) }
}

/** A door that these users may open, on a controller with room for some credentials. */
async function doorWithRoom(maxCredentials: number, users: readonly { _id: string }[]) {
  const wired = await wiredDoor(ask)
  const rule = await makeItem({ ask, collection: 'rules', fields: { who: users.map(asUser), where: [at(wired)] } })
  await startUnit(server, { ...wired, faults: { maxCredentials } })
  await vi.waitFor(
    async () => {
      const state = units.entitySchema.parse((await ask('GET', `/api/units/${wired.unit}`)).item)
      expect(state.appliedVersion).not.toBeNull()
      expect(state.configSize).not.toBeNull()
    },
    { timeout: 60_000 },
  )
  return { ...wired, rule: rule._id }
}

const asUser = ({ _id }: { _id: string }) => ({ kind: 'User', id: _id })
const at = ({ door }: { door: string }) => ({ kind: 'Door', id: door })

/** What has no room. */
async function preview(method: 'POST' | 'PATCH', path: string, body: object) {
  const answer = await ask(method, `${path}?preview=room`, { body })
  expect(answer.status).toBe(200)
  return changePreview.parse(answer.json)
}

const nothing = { access: null, noRoom: [], hasHiddenUnits: false, notExamined: 0 }

test('a rule that gives more users access than a controller holds names those without room, and is not stored', async () => {
  const [ann, ben, cy] = [await cardholder(), await cardholder(), await cardholder()]
  const door = await doorWithRoom(2, [ann])
  const rule = (...who: { _id: string }[]) => ({
    name: 'More',
    effect: 'allow',
    who: who.map(asUser),
    where: [at(door)],
  })
  expect(await preview('POST', '/api/rules', rule(ben))).toEqual(nothing)
  expect(await preview('POST', '/api/rules', rule(ben, cy))).toMatchObject({
    noRoom: [
      {
        _id: door.unit,
        capacity: { credentials: 2 },
        needs: { doors: 1, credentials: 3, schedules: 0 },
        cardholders: { total: 1, items: [{ _id: cy._id, name: cy.name }] },
        doors: [],
        schedules: [],
      },
    ],
  })
  expect((await ask('GET', '/api/rules?filter={"name":"More"}')).items).toEqual([])
})

test('members who join a group, and a new user in it, are tried with the cards that they have', async () => {
  const group = await makeItem({ ask, collection: 'userGroups' })
  const ann = await cardholder([group._id])
  const door = await doorWithRoom(1, [])
  await makeItem({
    ask,
    collection: 'rules',
    fields: { who: [{ kind: 'User Group', id: group._id }], where: [at(door)] },
  })
  const ben = await cardholder()
  const noRoomFor = (people: object[]) => ({ noRoom: [{ _id: door.unit, cardholders: { total: 1, items: people } }] })
  expect(await preview('PATCH', `/api/userGroups/${group._id}`, { members: [ann._id, ben._id] })).toMatchObject(
    noRoomFor([ben]),
  )
  expect(await preview('PATCH', `/api/users/${ben._id}`, { groups: [group._id] })).toMatchObject(noRoomFor([ben]))
  expect(await preview('POST', '/api/users', { name: 'Cy', groups: [group._id] })).toEqual(nothing)
  const card = { kind: 'card', number: `Q-${ann._id}`, user: ann._id }
  expect(await preview('POST', '/api/credentials', card)).toMatchObject(noRoomFor([ann]))
  const pin = { kind: 'pin', number: '583901', user: ann._id }
  expect(await preview('POST', '/api/credentials', pin)).toEqual(nothing)
})

test('what a preview names is what the controller leaves out once the change is saved', async () => {
  const [ann, ben] = [await cardholder(), await cardholder()]
  const door = await doorWithRoom(1, [ann])
  const body = { who: [ann, ben].map(asUser) }
  const { noRoom } = await preview('PATCH', `/api/rules/${door.rule}`, body)
  expect((await ask('PATCH', `/api/rules/${door.rule}`, { body })).status).toBe(200)
  await vi.waitFor(
    async () => {
      const { cardholders } = leftOut.output.parse((await ask('GET', `/api/units/${door.unit}/leftOut`)).json)
      expect(cardholders).toEqual(noRoom[0]?.cardholders)
      expect(cardholders.total).toBe(1)
    },
    { timeout: 60_000 },
  )
  // What has no room already is not new.
  expect(await preview('PATCH', `/api/rules/${door.rule}`, { name: 'Other' })).toEqual(nothing)
})

test('a preview is refused as the change would be, and other collections have none', async () => {
  const door = await doorWithRoom(1, [])
  const refused = await ask('PATCH', `/api/rules/${door.rule}?preview=room`, { body: { schedule: door.unit } })
  const saved = await ask('PATCH', `/api/rules/${door.rule}`, { body: { schedule: door.unit } })
  expect([refused.status, refused.error]).toEqual([saved.status, saved.error])
  expect(refused.status).toBeGreaterThanOrEqual(400)
  expect((await ask('POST', '/api/contacts?preview=true', { body: {} })).status).toBe(400)
  expect((await ask('PATCH', `/api/rules/${door.rule}?preview=yes`, { body: { name: 'Other' } })).status).toBe(400)
  const reader = await server.signInAs({ role: 'reportingUser' })
  const byReader = await reader.ask('PATCH', `/api/rules/${door.rule}?preview=true`, { body: { name: 'Other' } })
  expect(byReader.status).toBe(403)
})

test('a preview names who gains and who loses which hours at which door, also for a deletion', async () => {
  const [ann, ben] = [await cardholder(), await cardholder()]
  const { door } = await wiredDoor(ask)
  const rule = await makeItem({ ask, collection: 'rules', fields: { who: [asUser(ann)], where: [at({ door })] } })
  const change = (users: (typeof ann)[]) => ({
    cardholders: users.length,
    doors: Math.min(1, users.length),
    changes: users.map((each) => ({
      doors: [{ _id: door }],
      cardholders: { total: 1, items: [{ _id: each._id, name: each.name }] },
      times: [{ until: null }],
      moreTimes: 0,
    })),
    moreChanges: 0,
  })
  const swapped = await ask('PATCH', `/api/rules/${rule._id}?preview=true`, { body: { who: [asUser(ben)] } })
  expect(changePreview.parse(swapped.json).access).toMatchObject({ gained: change([ben]), lost: change([ann]) })
  const deleted = await ask('DELETE', `/api/rules/${rule._id}?preview=true`)
  expect([deleted.status, changePreview.parse(deleted.json).access]).toMatchObject([
    200,
    { gained: change([]), lost: change([ann]) },
  ])
  const suspended = await ask('PATCH', `/api/users/${ann._id}?preview=true`, { body: { status: 'suspended' } })
  expect(changePreview.parse(suspended.json).access).toMatchObject({ gained: change([]), lost: change([ann]) })
  expect((await ask('GET', `/api/rules/${rule._id}`)).item['who']).toEqual([asUser(ann)])
})

test('a preview names and counts nothing of accounts above, but says that a controller there has no room', async () => {
  const { ref } = await makeItem({ ask, collection: 'accounts' })
  const manager = await server.signInAs({ role: 'accessManager', account: String(ref) })
  const user = await makeItem({ ask: manager.ask, collection: 'users' })
  const number = `R-${user._id}`
  await makeItem({ ask: manager.ask, collection: 'credentials', fields: { kind: 'card', number, user: user._id } })
  const door = await doorWithRoom(1, [user])
  const suspended = await manager.ask('PATCH', `/api/users/${user._id}?preview=true`, { body: { status: 'suspended' } })
  const none = { cardholders: 0, doors: 0, changes: [], moreChanges: 0 }
  expect(suspended.json).toEqual({ ...nothing, access: { gained: none, lost: none } })
  const above = await ask('PATCH', `/api/rules/${door.rule}?preview=true`, { body: { enabled: false } })
  expect(changePreview.parse(above.json).access?.lost).toMatchObject({ cardholders: 1, doors: 1 })

  const body = { kind: 'card', number: `${number}-2`, user: user._id }
  const card = await manager.ask('POST', '/api/credentials?preview=true', { body })
  expect(card.json).toMatchObject({ noRoom: [], hasHiddenUnits: true, notExamined: 0 })
})

test('a preview says who gains and loses access only to users who may use the explorer', async () => {
  const ann = await cardholder()
  await doorWithRoom(1, [ann])
  const manager = await server.signInAs({ role: 'accountManager' })
  expect((await manager.ask('GET', `/api/users/${ann._id}/access`)).status).toBe(403)
  const answer = await manager.ask('PATCH', `/api/users/${ann._id}?preview=true`, { body: { status: 'suspended' } })
  expect(answer.json).toEqual(nothing)
})

test('a preview has the same answer while the policy changes', async () => {
  const [ann, ben] = [await cardholder(), await cardholder()]
  const { door } = await wiredDoor(ask)
  const { _id } = await makeItem({ ask, collection: 'rules', fields: { who: [asUser(ann)], where: [at({ door })] } })
  const previews = Promise.all(
    Array.from({ length: 2 }, () => ask('PATCH', `/api/rules/${_id}?preview=true`, { body: { who: [asUser(ben)] } })),
  )
  for (let change = 0; change < 10; change += 1) await makeItem({ ask, collection: 'schedules' })
  for (const { status, json } of await previews) {
    expect(status).toBe(200)
    expect(changePreview.parse(json).access?.gained.changes).toMatchObject([{ cardholders: { items: [ben] } }])
  }
})

test('previews of one account tree at the same time wait for their turns', async () => {
  const { _id } = await makeItem({ ask, collection: 'rules' })
  const others = await server.signInAs({ role: 'accessManager' })
  const previews = [ask, others.ask].flatMap((each) =>
    Array.from({ length: 4 }, () => each('PATCH', `/api/rules/${_id}?preview=true`, { body: { enabled: false } })),
  )
  expect((await Promise.all(previews)).map(({ status }) => status)).toEqual(Array(8).fill(200))
})
