import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { enrolUnit } from '@portcullis/contract/calls/units'
import { units } from '@portcullis/contract/collections/units'
import { VirtualUnit, type VirtualUnitOptions } from '@portcullis/controllers/virtual-unit'
import sql from 'sql-template-tag'
import { expect, onTestFinished, vi } from 'vitest'
import { makeItem } from '../collections/test-items.ts'
import type { TestServer, TestUser } from '../test-server.ts'

type Fields = Record<string, unknown>

/** A door of a new site, wired to a new unit that has never connected. */
export async function wiredDoor(ask: TestUser['ask'], fields: Fields = {}) {
  const unit = await makeItem({ ask, collection: 'units' })
  const door = await makeItem({ ask, collection: 'doors', fields: { unit: unit._id, unitDoor: 1, ...fields } })
  return { door: door._id, unit: unit._id, serial: String(unit['serial']) }
}

type StartUnit = { unit: string; serial: string; whenDone?: (stop: () => Promise<void>) => void }

/** The virtual unit behind such a door, enrolled and connected until the test ends. */
export async function startUnit(
  server: Pick<TestServer, 'url' | 'ask'>,
  { unit, serial, whenDone = onTestFinished, ...options }: StartUnit & Partial<VirtualUnitOptions>,
) {
  const dir = await mkdtemp(join(tmpdir(), 'portcullis-unit-'))
  const url = `${server.url.replace('http', 'ws')}/units`
  const virtual = new VirtualUnit({ dir, serial, url, pace: { openAfterMs: 1, closeAfterMs: 1 }, ...options })
  whenDone(async () => {
    await virtual.stop()
    await rm(dir, { recursive: true, force: true })
  })
  await virtual.start()
  const { json } = await server.ask('POST', `/api/units/${unit}/enrolment`)
  await virtual.enrol(enrolUnit.output.parse(json).code)
  return virtual
}

type OwnServer = Pick<TestServer, 'ask' | 'database'>

/** Waits until the unit has applied every change of the policy. */
export function inSync({ ask, database }: OwnServer, unit: string) {
  return vi.waitFor(
    async () => {
      const behind = sql`select from policy where policy_compiled_version < policy_version`
      expect(await database.asSystem((tx) => tx.run(behind))).toBe(0)
      const state = await stateOf(ask, unit)
      expect(state.desiredVersion).not.toBeNull()
      expect(state.appliedVersion).toBe(state.desiredVersion)
      return state
    },
    { timeout: 60_000 },
  )
}

export async function stateOf(ask: TestUser['ask'], unit: string) {
  return units.entitySchema.parse((await ask('GET', `/api/units/${unit}`)).json)
}
