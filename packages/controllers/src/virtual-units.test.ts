import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { scriptedServer } from './scripted-server.ts'
import { pace } from './test-configuration.ts'
import { VirtualUnits } from './virtual-units.ts'

/** A unit whose enrolment was refused; the gateway accepts the next one. */
async function refusedUnit() {
  const dir = await mkdtemp(join(tmpdir(), 'virtual-units-'))
  const gateway = await scriptedServer()
  const units = await VirtualUnits.open({ dir, url: gateway.url, pace })
  onTestFinished(async () => {
    await units.stop()
    await gateway.close()
    await rm(dir, { recursive: true })
  })
  gateway.answerWith(() => gateway.send({ type: 'refused', code: 'bad_code', message: 'Ask for a new code.' }))
  await expect(units.add({ serial: 'PC-1', code: 'old' })).rejects.toThrow('Ask for a new code.')
  gateway.answerWith()
  const [unit] = units.list()
  if (!unit) throw new Error('There is no unit.')
  return { dir, units, unit }
}

test('a unit that is switched on while it is removed stays off, and leaves no folder', async () => {
  const { dir, units, unit } = await refusedUnit()
  const attempts = [unit.start()]
  const removal = units.remove(unit)
  const late = [unit.start(), unit.powerCut()]
  await Promise.all([...attempts, removal])
  late.push(unit.start(), unit.powerCut(), unit.setFaults({ offline: true }))
  await Promise.allSettled(late)
  expect(unit.state().running).toBeNull()
  await expect(unit.start()).rejects.toThrow('Unit PC-1 was removed.')
  expect(units.list()).toEqual([])
  expect(await readdir(dir)).toEqual([])
})

test('faults that are set during a removal are refused, and leave no file', async () => {
  const { dir, unit } = await refusedUnit()
  await unit.stop()
  const before = await readdir(join(dir, 'PC-1'))
  const removal = unit.remove(async () => {})
  await expect(unit.setFaults({ offline: true })).rejects.toThrow('Unit PC-1 was removed.')
  await removal
  expect(await readdir(join(dir, 'PC-1'))).toEqual(before)
})

test('a second removal of a unit does not remove the one that was added instead', async () => {
  const { dir, units, unit } = await refusedUnit()
  const removals = [units.remove(unit), units.remove(unit)]
  const next = await units.add({ serial: 'PC-1', code: 'new' })
  await Promise.all([...removals, units.remove(unit)])
  await expect(unit.setFaults({ offline: true })).rejects.toThrow('Unit PC-1 was removed.')
  expect(units.list()).toEqual([next])
  expect(next.state().running?.unit).toBeTypeOf('string')
  expect(await readdir(dir)).toEqual(['PC-1'])
})
