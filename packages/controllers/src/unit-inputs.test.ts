import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { InputWatch } from './unit-inputs.ts'
import { UnitMemoryFile } from './unit-memory.ts'

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'unit-inputs-'))
})
afterEach(() => rm(dir, { recursive: true }))

const normal = { tampered: false, onBattery: false }

test('each change of an input is recorded once, also one that came while the unit was switched off', async () => {
  let inputs = normal
  const recorded: string[] = []
  const switchOn = async () => {
    const memory = await UnitMemoryFile.open({ dir, report: () => {} })
    const watch = new InputWatch({ memory, read: () => inputs, record: (what) => recorded.push(what) })
    return { memory, watch }
  }
  const { memory, watch } = await switchOn()
  expect(watch.check()).toBe(false)
  inputs = { ...normal, tampered: true }
  expect([watch.check(), watch.check()]).toEqual([true, false])
  expect(recorded).toEqual(['tamper'])
  await memory.flushed()

  inputs = { ...normal, onBattery: true }
  const again = await switchOn()
  expect(again.memory.inputs).toEqual({ ...normal, tampered: true })
  expect(again.watch.check()).toBe(true)
  expect(recorded).toEqual(['tamper', 'tamper_ended', 'on_battery'])
  inputs = normal
  again.watch.check()
  expect(recorded.at(-1)).toBe('on_mains')
  await again.memory.flushed()
})
