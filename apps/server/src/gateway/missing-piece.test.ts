import sql from 'sql-template-tag'
import { expect, onTestFinished, test, vi } from 'vitest'
import { gatewayWorld } from './test-world.ts'

test.each([
  ['', { highestVersion: 0 }],
  [', also if it is ahead of a restored database', { highestVersion: 1 }],
])('a unit gets a configuration that had lost a piece without any change of the policy%s', async (_name, state) => {
  const world = await gatewayWorld()
  onTestFinished(() => world.close())
  const { url } = await world.startServer()
  await world.workingUnit(url).then((unit) => unit.stop())
  await world.run(sql`delete from unit_config_piece`)
  const { greet } = await world.withNewKey()
  const peer = await greet(url, state)
  const received = () => peer.received.map(({ type }) => type)
  await vi.waitFor(() => expect(received()).toContain('configChunk'), { timeout: 60_000 })
  expect(await world.unitState()).toMatchObject({ fault: null, desiredVersion: state.highestVersion + 1 })
})
