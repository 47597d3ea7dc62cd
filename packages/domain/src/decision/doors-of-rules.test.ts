import { expect, test, vi } from 'vitest'
import { door, rule, samplePolicy } from '../sample-policy.ts'
import { doorsOfRules } from './doors-of-rules.ts'
import { policyIndex } from './index-policy.ts'

const site = { kind: 'Site', id: 'site' } as const

test('doors that many rules name come once, and their site is read once', () => {
  const doors = ['a', 'b'].map((_id) => door({ _id }))
  const where = [site, { kind: 'Door', id: 'a' }] as const
  const rules = Array.from({ length: 100 }, (_, at) => rule({ _id: `rule ${at}`, where }))
  const index = policyIndex(samplePolicy({ doors, rules }))
  const read = vi.spyOn(index.doorsOfSite, 'get')
  expect([...doorsOfRules(index, rules)]).toEqual(doors)
  expect(read).toHaveBeenCalledTimes(1)
})

test('a rule names only doors of its account and of those below, and a disabled one names none', () => {
  const index = policyIndex(samplePolicy())
  const doorsOf = (...rules: Parameters<typeof rule>[0][]) =>
    [
      ...doorsOfRules(
        index,
        rules.map((changes) => rule({ where: [site], ...changes })),
      ),
    ].map(({ _id }) => _id)
  expect(doorsOf({ account: 'branch' })).toEqual([])
  expect(doorsOf({ enabled: false })).toEqual([])
  expect(doorsOf({ account: 'branch' }, { account: 'group' })).toEqual([door()._id])
})
