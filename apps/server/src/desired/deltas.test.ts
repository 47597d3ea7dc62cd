import { tamperingProxy, type Tamper } from '@portcullis/controllers/conformance/tampering-proxy'
import { sentDelta } from '@portcullis/contract/unit-protocol/unit-config'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { gatewayWorld, ids, nomsasCard } from '../gateway/test-world.ts'

const configFrame = z.object({ type: z.literal('config'), version: z.int(), base: z.int().nullable() })

/** A unit that applies version 1, through a network that notes the configurations and changes some frames. */
async function unitWithServer({ toServer = (frame) => frame, toUnit = (frame) => frame }: Tamper = {}) {
  const world = await gatewayWorld()
  onTestFinished(() => world.close())
  const server = await world.startServer()
  const offered: z.output<typeof configFrame>[] = []
  const note: Tamper['toUnit'] = (frame, ...rest) => {
    const config = configFrame.safeParse(frame)
    if (config.success) offered.push(config.data)
    return toUnit(frame, ...rest)
  }
  const proxy = await tamperingProxy(server.url, { toServer, toUnit: note })
  onTestFinished(proxy.close)
  const unit = await world.enrolledUnit(proxy.url)
  const applied = () => unit.state().running?.appliedVersion
  const desired = async () => (await world.unitState())?.desiredVersion
  await expect.poll(applied).toBe(1)
  return {
    world,
    unit,
    offered,
    applied,
    /** Makes the next version. */
    async setDirection(direction: 'entry' | 'exit') {
      const before = await desired()
      await world.changePolicy(sql`update rule set rule_direction = ${direction} where rule_id = ${ids.rule}`)
      await expect.poll(desired).toBe((before ?? 0) + 1)
    },
    async goAway() {
      await unit.setFaults({ offline: true })
      await expect.poll(() => unit.state().running?.isOnline).toBe(false)
    },
  }
}

test('a unit gets a change as a delta from the configuration that it applies, and decides by it', async () => {
  const { world, unit, offered, applied, setDirection } = await unitWithServer()
  await setDirection('exit')
  await expect.poll(applied).toBe(2)
  expect(offered).toMatchObject([
    { version: 1, base: null },
    { version: 2, base: 1 },
  ])
  expect((await unit.present(nomsasCard)).verdict).toBe('deny')
  await expect.poll(() => world.unitState()).toMatchObject({ appliedVersion: 2, rejection: null })
})

test('another rule for cardholders who have one is a delta without cardholders and credentials', async () => {
  const { world, unit, offered, applied, setDirection } = await unitWithServer()
  await setDirection('exit')
  await expect.poll(applied).toBe(2)
  const rule = uuidv7()
  await world.changePolicy(sql`with made as (
      insert into rule (rule_id, rule_account, rule_name, rule_effect, rule_direction, rule_enabled)
        select ${rule}, rule_account, 'Entry', 'allow', 'entry', true from rule where rule_id = ${ids.rule}
      returning rule_account as account)
    insert into link (link_account, link_owner, link_field, link_kind, link_target)
      select account, ${rule}, field, kind, target from made, (values ('who', 'User', ${ids.nomsa}::uuid),
        ('where', 'Door', ${ids.door}::uuid)) as named (field, kind, target)`)
  await expect.poll(applied).toBe(3)
  expect(offered.at(-1)).toMatchObject({ version: 3, base: 2 })
  const [stored] = await world.rows(
    z.object({ delta: z.instanceof(Buffer) }),
    sql`select unit_config_delta as delta from unit_config where unit_config_version = 3`,
  )
  const { set, values, removed } = sentDelta.parse(JSON.parse(stored?.delta.toString() ?? ''))
  const [own] = Object.entries(set['access'] ?? {})
  expect(own).toEqual([ids.nomsa, { doors: { 1: { allow: [ids.rule, rule].toSorted(), deny: [] } } }])
  expect({ parts: Object.keys(set).toSorted(), values, removed }).toEqual({
    parts: ['access', 'rules'],
    values: {},
    removed: {},
  })
  expect((await unit.present(nomsasCard)).verdict).toBe('grant')
})

test('a unit that was away gets the versions that it missed as one delta', async () => {
  const { unit, offered, applied, setDirection, goAway } = await unitWithServer()
  await goAway()
  for (const direction of ['entry', 'exit'] as const) await setDirection(direction)
  await unit.powerCut()
  await unit.setFaults({ offline: false })
  await expect.poll(applied).toBe(3)
  expect(offered.slice(1)).toMatchObject([{ version: 3, base: 1 }])
  expect((await unit.present(nomsasCard)).verdict).toBe('deny')
})

test('a unit that rejects a delta gets the snapshot of the same version, without an event', async () => {
  const { world, offered, applied, setDirection } = await unitWithServer({
    toUnit: (frame) => (typeof frame['base'] === 'number' ? { ...frame, base: frame['base'] + 1_000 } : frame),
  })
  await setDirection('exit')
  await expect.poll(applied).toBe(2)
  expect(offered.slice(1)).toMatchObject([
    { version: 2, base: 1 },
    { version: 2, base: null },
  ])
  await expect.poll(() => world.unitState()).toMatchObject({ appliedVersion: 2, rejection: null })
  expect((await world.events()).filter(({ type }) => type === 'unit.sync_failed')).toEqual([])
})

test('a unit that does not announce deltas gets every configuration whole, and none are made for it', async () => {
  const { world, offered, applied, setDirection } = await unitWithServer({
    toServer: ({ deltas, ...frame }) => (frame['type'] === 'hello' ? frame : { ...frame, deltas }),
  })
  await setDirection('exit')
  await expect.poll(applied).toBe(2)
  expect(offered.slice(1)).toMatchObject([{ version: 2, base: null }])
  const deltas = sql`select unit_config_version from unit_config where unit_config_delta is not null`
  expect(await world.rows(z.unknown(), deltas)).toEqual([])
})

test.each([
  [
    'has another content than the server knows',
    sql`update unit_config set unit_config_hash = 'another' where unit_config_version = 1`,
  ],
  ['is no longer stored', sql`delete from unit_config where unit_config_version = 1`],
  [
    'has a later version without a delta',
    sql`update unit_config set unit_config_delta = null where unit_config_version = 2`,
  ],
  ['has a later version that is no longer stored', sql`delete from unit_config where unit_config_version = 2`],
])('a unit whose applied configuration %s gets a snapshot', async (_, change) => {
  const { world, unit, offered, applied, setDirection, goAway } = await unitWithServer()
  await goAway()
  for (const direction of ['entry', 'exit'] as const) await setDirection(direction)
  await world.run(change)
  await unit.setFaults({ offline: false })
  await expect.poll(applied).toBe(3)
  expect(offered.slice(1)).toMatchObject([{ version: 3, base: null }])
})
