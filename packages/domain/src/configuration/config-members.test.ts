import fc from 'fast-check'
import { expect, test } from 'vitest'
import { policyIndex } from '../decision/gather-facts.ts'
import { anyPolicy, stage } from '../random-policy.ts'
import { door, samplePolicy } from '../sample-policy.ts'
import { compileUnit } from './compile-unit.ts'
import { membersOf, partsOfConfig } from './config-members.ts'

const hashNumber = (number: string) => `hash of ${number}`

test('the parts of any configuration are those of its JSON, and their members too', () => {
  fc.assert(
    fc.property(anyPolicy, (policy) => {
      const config = compileUnit({ index: policyIndex(policy), unit: 'unit-1', at: stage.from, hashNumber })
      const parts = partsOfConfig(JSON.stringify(config))
      expect(Object.fromEntries([...parts].map(([name, text]) => [name, JSON.parse(text)]))).toEqual(config)
      for (const part of ['doors', 'holders', 'credentials', 'schedules'] as const) {
        const members = [...membersOf(parts.get(part) ?? '')]
        expect(Object.fromEntries(members.map(([key, text]) => [key, JSON.parse(text)]))).toEqual(config[part])
      }
    }),
  )
})

test.each(['"', '\\', '\\"', '}', ',"holders":{', '"_id":"x"'])('a door may be called %s', (name) => {
  const index = policyIndex(samplePolicy({ doors: [door({ name })] }))
  const parts = partsOfConfig(JSON.stringify(compileUnit({ index, unit: 'unit', at: stage.from, hashNumber })))
  expect([...membersOf(parts.get('doors') ?? '')]).toMatchObject([['1', expect.stringContaining(JSON.stringify(name))]])
})

test.each(['', '{}', '{"unit":"u","holders":{}', '{"unit":"u","doors":{"1":{,"holders":{},"credentials":{}}'])(
  'the text %s is refused',
  (text) => {
    expect(() => partsOfConfig(text)).toThrow()
  },
)
