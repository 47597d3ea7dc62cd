import { createHash } from 'node:crypto'
import { applyDelta, diffConfig } from '@portcullis/domain/configuration/config-delta'
import { compileUnit } from '@portcullis/domain/configuration/compile-unit'
import { policyIndex } from '@portcullis/domain/decision/gather-facts'
import { anyPolicy, stage } from '@portcullis/domain/random-policy'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { forgetLeadingFields, hashLeadingFields, hashOfConfig } from './config-hash.ts'

const anyConfig = anyPolicy.map((policy) =>
  compileUnit({ index: policyIndex(policy), unit: 'unit-1', at: stage.from, hashNumber: (number) => `#${number}` }),
)
const bytesOf = (config: object) => Buffer.from(JSON.stringify(config))
const expected = (config: object) => createHash('sha256').update(bytesOf(config)).digest('hex')

test('the hash of a configuration after any deltas is that of its text, whether it is continued or not', () => {
  const run = fc.property(anyConfig, anyConfig, anyConfig, (first, second, third) => {
    hashLeadingFields(first, bytesOf(first))
    expect(hashOfConfig(first)).toBe(expected(first))
    const rules = { ...first, rules: second.rules, access: second.access }
    for (const next of [rules, second, third, first]) {
      const config = applyDelta(first, diffConfig(first, next))
      expect(hashOfConfig(config)).toBe(expected(next))
    }
  })
  fc.assert(run)
})

test('bytes with another text of the same content count until their hash is forgotten', () => {
  const content = { holders: { a: 1 }, credentials: {}, unit: 'unit' }
  hashLeadingFields(content, Buffer.from('{ "holders": {"a":1},"credentials":{},"unit":"unit"}'))
  expect(hashOfConfig(content)).not.toBe(expected(content))
  forgetLeadingFields(content)
  expect(hashOfConfig(content)).toBe(expected(content))
})
