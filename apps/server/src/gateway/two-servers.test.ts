import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unitsPath } from '@portcullis/contract/unit-protocol/frames'
import { VirtualUnit } from '@portcullis/controllers/virtual-unit'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { makeItem } from '../collections/test-items.ts'
import { startOwnServer } from '../test-server.ts'
import { startSecondServer } from '../test-servers.ts'

const server = await startOwnServer()
afterAll(server.stop)
const second = await startSecondServer(server.databaseUrl)
afterAll(second.stop)
const patience = { timeout: 120_000 }

type Made = { id: string; serial: string }

/** What ends the trust in a controller, through the first server. */
const calls = {
  disabled: async ({ id }: Made) => server.ask('PATCH', `/api/units/${id}`, { body: { inService: false } }),
  revoked: async ({ id }: Made) => server.client.revokeUnit(id),
  'enrolled again': async (unit: Made) => startUnit(unit, server.url),
}

test.each([
  ['disabled', 'the same server', 'out_of_service'],
  ['disabled', 'another server', 'out_of_service'],
  ['revoked', 'the same server', 'unknown_unit'],
  ['revoked', 'another server', 'unknown_unit'],
  ['enrolled again', 'the same server', 'key_replaced'],
  ['enrolled again', 'another server', 'key_replaced'],
] as const)('the connection of a controller that is %s ends on %s', async (call, where, refusal) => {
  const item = await makeItem({ ask: server.ask, collection: 'units' })
  const made = { id: item._id, serial: String(item['serial']) }
  const { unit, reported } = await startUnit(made, where === 'the same server' ? server.url : second.url)
  await expect.poll(() => unit.state().running, patience).toMatchObject({ isOnline: true, appliedVersion: 1 })
  await calls[call](made)
  // The first refusal: with an earlier key, it is refused again when it reconnects.
  await expect.poll(() => reported[0], patience).toContain(`Refused, ${refusal}: `)
  await expect.poll(() => unit.state().running?.isOnline, patience).toBe(false)
})

async function startUnit({ id, serial }: Made, url: string) {
  const dir = await mkdtemp(join(tmpdir(), 'two-servers-'))
  const reported: string[] = []
  const report = (sentence: string) => void reported.push(sentence)
  const unit = new VirtualUnit({ dir, serial, url: `${url.replace('http', 'ws')}${unitsPath}`, report })
  onTestFinished(async () => {
    await unit.stop()
    await rm(dir, { recursive: true })
  })
  await unit.start()
  await unit.enrol((await server.client.enrolUnit(id)).code)
  return { unit, reported }
}
