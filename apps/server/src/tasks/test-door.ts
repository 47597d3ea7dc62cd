import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { enrolUnit } from '@portcullis/contract/calls/units'
import { units } from '@portcullis/contract/collections/units'
import { VirtualUnit, type VirtualUnitOptions } from '@portcullis/controllers/virtual-unit'
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

type OwnUnit = { ask: TestUser['ask']; unit: string }

/** Makes a change that the unit has to know, and waits until it does. */
export async function appliedChange<T>({ ask, unit }: OwnUnit, change: () => Promise<T>) {
  const before = (await stateOf({ ask, unit })).desiredVersion ?? 0
  const changed = await change()
  await vi.waitFor(async () => {
    expect((await stateOf({ ask, unit })).desiredVersion).toBeGreaterThan(before)
  }, patience)
  await inSync(ask, unit)
  return changed
}

/** Waits until the unit has applied its desired version. */
export function inSync(ask: TestUser['ask'], unit: string) {
  return vi.waitFor(async () => {
    const state = await stateOf({ ask, unit })
    expect(state.desiredVersion).not.toBeNull()
    expect(state.appliedVersion).toBe(state.desiredVersion)
    return state
  }, patience)
}

export async function stateOf({ ask, unit }: OwnUnit) {
  return units.entitySchema.parse((await ask('GET', `/api/units/${unit}`)).json)
}

const patience = { timeout: 60_000 }
