import { compileInSteps } from '@portcullis/domain/configuration/compile-unit'
import { policyIndex } from '@portcullis/domain/decision/gather-facts'
import type { Door, RuleDirection } from '@portcullis/domain/policy'
import { credential, door, rule, samplePolicy, user } from '@portcullis/domain/sample-policy'
import { withoutInterruption } from '@portcullis/domain/steps'
import { expect, test } from 'vitest'
import { leftOutItemsOf } from './left-out-items.ts'

/** The cardholders by door at a unit without room for the cards of Nomsa and Ann. */
function incompleteWith(changes: Partial<Door>, directions: readonly RuleDirection[]) {
  const who = ['nomsa', 'ann'].map((id) => ({ kind: 'User', id }) as const)
  const rules = directions.map((direction) => rule({ _id: direction, who, direction }))
  const users = [user(), user({ _id: 'ann' })]
  const credentials = [credential(), credential({ _id: 'second', user: 'ann', number: '2' })]
  const index = policyIndex(samplePolicy({ doors: [door(changes)], users, credentials, rules }))
  const capacity = { doors: 1, credentials: 0, schedules: 0 }
  const at = Date.parse('2026-11-18T12:00:00Z')
  const compiled = withoutInterruption(compileInSteps({ index, unit: 'unit', at, hashNumber: String, capacity }))
  const items = leftOutItemsOf(compiled)
  expect(items).toMatchObject({ credentials: 2, holders: 2 })
  return items?.incomplete
}

const entryOnly = { directions: { entry: true, exit: false } }

test.each<[string, Partial<Door>, RuleDirection[], boolean]>([
  ['entry reader, rule for both', entryOnly, ['both'], true],
  ['entry reader, rule for entry', entryOnly, ['entry'], true],
  ['entry reader, rule for exit', entryOnly, ['exit'], false],
  ['entry reader, rules for each', entryOnly, ['exit', 'entry'], true],
  ['no reader', { directions: { entry: false, exit: false } }, ['both'], false],
  ['disabled', { enabled: false }, ['both'], false],
])('a cardholder without room counts at a door where their rule applies: %s', (_, changes, directions, counts) => {
  expect(incompleteWith(changes, directions)).toEqual(counts ? { door: 2 } : {})
})
