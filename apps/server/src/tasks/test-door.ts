import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { enrolUnit } from '@portcullis/contract/calls/units'
import { VirtualUnit, type VirtualUnitOptions } from '@portcullis/controllers/virtual-unit'
import { onTestFinished } from 'vitest'
import { makeItem } from '../collections/test-items.ts'
import type { TestServer, TestUser } from '../test-server.ts'

type Fields = Record<string, unknown>

/** A door of a new site, wired to a new unit that has never connected. */
export async function wiredDoor(ask: TestUser['ask'], fields: Fields = {}) {
  const unit = await makeItem({ ask, collection: 'units' })
  const door = await makeItem({ ask, collection: 'doors', fields: { unit: unit._id, unitDoor: 1, ...fields } })
  return { door: door._id, unit: unit._id, serial: String(unit['serial']) }
}

/** The virtual unit behind such a door, enrolled and connected until the test ends. */
export async function startUnit(
  server: Pick<TestServer, 'url' | 'ask'>,
  { unit, serial, ...options }: { unit: string; serial: string } & Partial<VirtualUnitOptions>,
) {
  const dir = await mkdtemp(join(tmpdir(), 'portcullis-unit-'))
  const url = `${server.url.replace('http', 'ws')}/units`
  const virtual = new VirtualUnit({ dir, serial, url, pace: { openAfterMs: 1, closeAfterMs: 1 }, ...options })
  onTestFinished(async () => {
    await virtual.stop()
    await rm(dir, { recursive: true, force: true })
  })
  await virtual.start()
  const { json } = await server.ask('POST', `/api/units/${unit}/enrolment`)
  await virtual.enrol(enrolUnit.output.parse(json).code)
  return virtual
}
