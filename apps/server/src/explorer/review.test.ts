import { reviewRules } from '@portcullis/contract/calls/review-rules'
import { afterAll, expect, test } from 'vitest'
import { startTestServer } from '../test-server.ts'
import { makeBuilding } from './test-building.ts'

const server = await startTestServer()
afterAll(server.stop)

const { make, addPerson, account, site, door, schedule, group, rule } = await makeBuilding(server, 'harbour')
await addPerson('Nomsa Dlamini', { number: '1' })
const reviewer = await server.signInAs({ role: 'accessManager', account })

const toGroup = [{ kind: 'User Group', id: group._id }]
const atSite = [{ kind: 'Site', id: site._id }]

async function review(ask = reviewer.ask, headers: Record<string, string> = {}) {
  const answer = await ask('GET', '/api/rules/review', { headers })
  expect(answer.status).toBe(200)
  return reviewRules.output.parse(answer.json)
}

test('an account without odd rules has no findings, and all users have access', async () => {
  expect(await review()).toEqual({ findings: [], moreFindings: 0, users: { total: 0, items: [] }, isWhole: true })
})

test('rules that never apply, are contained, or are denied, and users without access are returned with names', async () => {
  const blank = await make('schedules', { name: 'Blank', windows: [] })
  const at = { effect: 'allow', who: toGroup, where: [{ kind: 'Door', id: door._id }] }
  const never = await make('rules', { ...at, name: 'Never', schedule: blank._id })
  const part = await make('rules', { ...at, name: 'Part', schedule: schedule._id })
  const deny = await make('rules', { name: 'Keep out', effect: 'deny', who: toGroup, where: atSite, direction: 'exit' })
  const thabo = await addPerson('Thabo Nkosi', { number: '2', groups: [] })
  const { findings, users } = await review()
  const none = { other: null, reason: null, schedule: null, takes: null, cardholders: null }
  const named = (item: { _id: string }, name: string) => ({ _id: item._id, name })
  const denied = { ...none, kind: 'denied', other: named(deny, 'Keep out'), takes: 'some', cardholders: 1 }
  const staff = named(rule, 'Warehouse staff')
  expect(findings).toEqual([
    { ...denied, rule: staff },
    {
      ...none,
      kind: 'never_applies',
      rule: named(never, 'Never'),
      reason: 'schedule',
      schedule: named(blank, 'Blank'),
    },
    { ...none, kind: 'contained', rule: named(part, 'Part'), other: staff },
    { ...denied, rule: named(part, 'Part') },
  ])
  expect(users).toEqual({ total: 1, items: [named(thabo, 'Thabo Nkosi')] })
})

test('a rule of an account above is not named, and rules of accounts below only with the header that reads them', async () => {
  const above = (
    await make('rules', { name: 'From above', effect: 'allow', who: toGroup, where: atSite }, server.account)
  )._id
  const { findings } = await review()
  const contained = findings.find((each) => each.rule._id === rule._id && each.kind === 'contained')
  expect(contained?.other).toEqual({ _id: null, name: null })
  expect(findings.map((each) => each.rule._id)).not.toContain(above)
  const rulesFor = async (headers: Record<string, string>) => {
    const all = await review(server.in(server.account), headers)
    return all.findings.map((each) => each.rule.name)
  }
  expect(await rulesFor({})).not.toContain('Never')
  expect(await rulesFor({ 'x-js-all-accounts': 'true' })).toContain('Never')
})

test('users who may not view users cannot review rules', async () => {
  const installer = await server.signInAs({ role: 'installer', account })
  const { status } = await installer.ask('GET', '/api/rules/review')
  expect(status).toBe(403)
})
