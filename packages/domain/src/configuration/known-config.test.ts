import fc from 'fast-check'
import { expect, test } from 'vitest'
import { policyIndex } from '../decision/gather-facts.ts'
import { directions, doorModes } from '../policy.ts'
import { anyInstant, anyPolicy, numbers, stage } from '../random-policy.ts'
import { samplePolicy } from '../sample-policy.ts'
import { compileUnit } from './compile-unit.ts'
import { decideOnUnit } from './decide-on-unit.ts'
import type { UnitConfig } from './unit-config.ts'

const hashNumber = (number: string) => `#${number}`

const attempts = fc.array(
  fc.record({
    unitDoor: fc.integer({ min: 1, max: 5 }),
    credentialKey: fc.constantFrom(...numbers).map(hashNumber),
    direction: fc.constantFrom(...directions),
    at: anyInstant,
    mode: fc.constantFrom(undefined, ...doorModes),
  }),
  { minLength: 20, maxLength: 20 },
)

test('a unit that has already decided decides like one that has just received the same configuration', () => {
  const run = fc.property(anyPolicy, attempts, (policy, presented) => {
    const config = compileUnit({ index: policyIndex(policy), unit: 'unit-1', at: stage.from, hashNumber })
    for (const attempt of presented) {
      expect(decideOnUnit(config, attempt)).toEqual(decideOnUnit(received(config), attempt))
    }
  })
  fc.assert(run, { numRuns: 200 })
})

test.each(['__proto__', 'constructor', 'toString'])(
  'a reader that reads "%s" presents an unknown credential',
  (key) => {
    const config = compileUnit({ index: policyIndex(samplePolicy()), unit: 'unit', at: stage.from, hashNumber })
    const decision = decideOnUnit(config, { unitDoor: 1, credentialKey: key, direction: 'entry', at: stage.from })
    expect(decision.reason).toBe('credential_unknown')
  },
)

/** The same content as objects of its own. */
function received(config: UnitConfig): UnitConfig {
  const { sites, doors, schedules, rules } = config
  return { ...config, sites: copied(sites), doors: copied(doors), schedules: copied(schedules), rules: copied(rules) }
}

function copied<T extends object>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([key, entry]) => [key, { ...entry }]))
}
