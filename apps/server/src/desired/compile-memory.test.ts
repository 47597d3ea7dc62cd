import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { compileInSteps } from '@portcullis/domain/configuration/compile-unit'
import { policyIndex } from '@portcullis/domain/decision/index-policy'
import { credential, group, rule, samplePolicy, user } from '@portcullis/domain/sample-policy'
import { expect, test } from 'vitest'

setFlagsFromString('--expose-gc')

function heapInUse() {
  runInNewContext('gc()')
  return process.memoryUsage().heapUsed / 2 ** 20
}

test('compiling users in many groups needs memory for their memberships, not for each set of groups on the way', () => {
  const users = Array.from({ length: 1_000 }, (_, at) => user({ _id: `user ${at}` }))
  const credentials = users.map(({ _id }) => credential({ _id: `card of ${_id}`, number: _id, user: _id }))
  const userGroups = Array.from({ length: 500 }, (_, at) => {
    const members = users.filter(() => Math.random() < 0.5).map(({ _id }) => _id)
    return group({ _id: `group ${at}`, members })
  })
  const who = userGroups.map(({ _id }) => ({ kind: 'User Group', id: _id }) as const)
  const index = policyIndex(samplePolicy({ users, credentials, userGroups, rules: [rule({ who })] }))
  const at = Date.parse('2026-11-18T12:00:00Z')
  const before = heapInUse()
  const measured: number[] = []
  let steps = 0
  for (const _step of compileInSteps({ index, unit: 'unit', at, hashNumber: String })) {
    if (++steps % 100 === 0) measured.push(heapInUse() - before)
  }
  expect(measured.length).toBeGreaterThan(5)
  // A quarter of a million memberships, in megabytes.
  expect(Math.max(...measured)).toBeLessThan(60)
}, 60_000)
