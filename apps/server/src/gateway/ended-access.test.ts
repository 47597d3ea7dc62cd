import { generateKeys, signText } from '@portcullis/controllers/keys'
import { helloText } from '@portcullis/contract/unit-protocol/signed-texts'
import { limits } from '@portcullis/contract/unit-protocol/frames'
import { policyIndex } from '@portcullis/domain/decision/gather-facts'
import { credential, samplePolicy, user } from '@portcullis/domain/sample-policy'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { EndedAccess, placeAndLag } from './ended-access.ts'
import { gatewayWorld, ids, ownNonce, serial } from './test-world.ts'

const now = () => Date.parse('2026-11-18T12:00:00Z')

/** A tree in which these users are suspended, each with a card of the same id. */
async function treeWith({ suspended, active = [] }: { suspended: readonly string[]; active?: readonly string[] }) {
  const world = await gatewayWorld()
  onTestFinished(() => world.close())
  const rootRow = z.object({ root: z.int() })
  const [{ root } = { root: 0 }] = await world.rows(rootRow, sql`select policy_root as root from policy`)
  const users = [...suspended.map((_id) => user({ _id, status: 'suspended' })), ...active.map((_id) => user({ _id }))]
  const credentials = users.map(({ _id }) => credential({ _id, user: _id, number: _id }))
  const index = policyIndex(samplePolicy({ users, credentials }))
  const rest = { version: 1, state: {}, hasAllUntil: () => true, unreadable: [], blocking: [] }
  return {
    world,
    policy: { root, index, ...rest },
    ended: new EndedAccess({ database: world.database, now }),
    change: (items: readonly string[], account = world.accountKey) =>
      world.run(sql`insert into change (change_account, change_collection, change_item, change_action, change_is_policy)
        select ${account}, 'users', item, 'save', true from unnest(${[...items]}::uuid[]) with ordinality as changed (item, place)
         order by place`),
  }
}

function someIds(count: number) {
  return Array.from({ length: count }, () => uuidv7())
}

test('access that ended before 50,000 other changes is still found, in order', async () => {
  const [first = '', second = '', other = ''] = someIds(3)
  const { policy, ended, change } = await treeWith({ suspended: [first, second], active: [other] })
  await change([first])
  await change([...Array.from({ length: 50_000 }, () => other), second])
  expect(await ended.of(policy)).toEqual([first, second])
})

test('of more than a unit can block, those that ended last are known, in order', async () => {
  const gone = someIds(limits.blockedCredentials + 2)
  const { policy, ended, change } = await treeWith({ suspended: gone })
  await change(gone)
  expect(await ended.of(policy)).toEqual(gone.slice(2))
})

test('an item that changed often counts once', async () => {
  const [gone = '', other = ''] = someIds(2)
  const { policy, ended, change } = await treeWith({ suspended: [gone], active: [other] })
  await change([gone, ...Array.from({ length: 50 }, () => other), gone])
  expect(await ended.of(policy)).toEqual([gone])
})

test('the outbox is read once, and later changes are followed', async () => {
  const [first = '', second = '', third = ''] = someIds(3)
  const { world, policy, ended, change } = await treeWith({ suspended: [first, second] })
  await change([first])
  const reading = ended.of(policy)
  ended.follow({ root: policy.root, credentials: { ended: [third], usable: [] } })
  expect(await reading).toEqual([first, third])
  await world.run(sql`delete from change`)
  ended.follow({ root: policy.root, credentials: { ended: [second], usable: [first] } })
  ended.follow({ root: policy.root + 1, credentials: { ended: [first], usable: [] } })
  expect(await ended.of(policy)).toEqual([third, second])
})

test('a unit is behind until it applies a configuration with all changes', async () => {
  const { world } = await treeWith({ suspended: [] })
  const isBehind = async (version: number | null) =>
    (await placeAndLag(world.database, { unit: ids.unit, version }))?.isBehind
  await world.run(sql`update unit_state set unit_state_desired_version = 2`)
  await world.run(sql`update policy set policy_compiled_version = policy_version - 1`)
  expect(await isBehind(2)).toBe(true)
  await world.run(sql`update policy set policy_compiled_version = policy_version`)
  expect([await isBehind(2), await isBehind(1), await isBehind(null)]).toEqual([false, true, true])
  await world.run(sql`update unit_state set unit_state_fault = 'not_compiled'`)
  expect(await isBehind(2)).toBe(true)
})

const other = uuidv7()

test.each([
  ['', [], [ids.card]],
  [', the latest last, also if it is blocked already', [ids.card, other], [other, ids.card]],
])('a unit that has lost its configuration gets the ends of access, too%s', async (_name, blockedBefore, expected) => {
  const world = await gatewayWorld()
  onTestFinished(() => world.close())
  const { url } = await world.startServer()
  const unit = await world.workingUnit(url)
  await unit.stop()
  await world.changePolicy(sql`update membership set membership_status = 'suspended'`)
  await expect.poll(async () => (await world.unitState())?.desiredVersion).toBe(2)
  const keys = generateKeys()
  const key = Buffer.from(keys.publicKey, 'base64')
  await world.run(sql`update unit_secret set unit_secret_public_key = ${key}`)
  const peer = await world.peer(url)
  const signature = signText(keys.privateKey, helloText({ nonce: peer.nonce(), unit: ids.unit }))
  const hello = { unit: ids.unit, serial, signature, nonce: ownNonce, at: new Date().toISOString() }
  peer.send({ type: 'hello', ...hello, applied: null, highestVersion: 0, blocked: blockedBefore })
  const blocked = () => peer.received.flatMap((frame) => (frame.type === 'blocklist' ? frame.block : []))
  await expect.poll(blocked).toEqual(expected)
})
