import { accessMatrix } from '@portcullis/contract/calls/access-matrix'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, expect, test } from 'vitest'
import { makeItem, type Written } from '../collections/test-items.ts'
import { startTestServer } from '../test-server.ts'

const server = await startTestServer()
afterAll(server.stop)
const { ask } = server

const make = async (collection: Written, fields: object, at = ask) =>
  (await makeItem({ ask: at, collection, fields: { ...fields } }))._id
await make('accounts', { ref: 'lower' })
const site = await make('sites', { name: 'Cold Store' })
const [door, other] = [await make('doors', { site }), await make('doors', { site })]
const doorGroup = await make('doorGroups', { name: 'Loading bays', members: [door] })
const siteGroup = await make('siteGroups', { name: 'North', members: [site] })
const [group, stranger] = [await make('userGroups', {}), await make('userGroups', {})]

const rule = (name: string, kind: string, id: string, who = group) =>
  make('rules', { name, effect: 'allow', who: [{ kind: 'User Group', id: who }], where: [{ kind, id }] })

async function matrix(ids: { groups: string[]; places: string[] }, as = ask) {
  const { status, json } = await as(
    'GET',
    `/api/rules/matrix?groups=${ids.groups.join(',')}&places=${ids.places.join(',')}`,
  )
  expect(status).toBe(200)
  const { rules, containers, ...answer } = accessMatrix.output.parse(json)
  return {
    ...answer,
    rules: rules.map(({ name }) => name),
    containers: containers.map(({ kind, name }) => [kind, name]),
  }
}

test('the rules between groups and doors include those that name a group or the site of the door', async () => {
  await rule('At the door', 'Door', door)
  await rule('At its group', 'Door Group', doorGroup)
  await rule('At its site', 'Site', site)
  await rule('At the group of its site', 'Site Group', siteGroup)
  await rule('At another door', 'Door', other)
  await rule('Of another group', 'Door', door, stranger)
  expect(await matrix({ groups: [group], places: [door] })).toEqual({
    isWhole: true,
    rules: ['At its group', 'At its site', 'At the door', 'At the group of its site'],
    containers: [
      ['Site', 'Cold Store'],
      ['Door Group', 'Loading bays'],
      ['Site Group', 'North'],
    ],
  })
})

test('of a site, the groups that contain it count', async () => {
  const { containers, rules } = await matrix({ groups: [group], places: [site] })
  expect(containers).toEqual([['Site Group', 'North']])
  expect(rules).toEqual(['At its site', 'At the group of its site'])
})

test('ids of other accounts and absent ones match nothing', async () => {
  const nothing = { isWhole: true, rules: [], containers: [] }
  expect(await matrix({ groups: [group], places: [door] }, server.in('lower'))).toEqual(nothing)
  expect(await matrix({ groups: [uuidv7()], places: [uuidv7()] })).toEqual(nothing)
})

test('an answer says that rules are missing, where those found name too many users and doors', async () => {
  const [crowded, lonely] = [await make('userGroups', {}), await make('userGroups', {})]
  const names = Array.from({ length: 12 }, (_, at) => `Crowd ${at + 10}`)
  for (const name of names) await rule(name, 'Door', door, crowded)
  await server.database.asSystem((tx) =>
    tx.run(sql`insert into link (link_account, link_owner, link_field, link_kind, link_target)
      select rule_account, rule_id, 'who', 'User', gen_random_uuid() from rule, generate_series(1, 900) where rule_name like 'Crowd%'`),
  )
  expect(await matrix({ groups: [crowded], places: [door] })).toMatchObject({
    isWhole: false,
    rules: names.slice(0, 11),
  })
  expect(await matrix({ groups: [lonely], places: [door] })).toMatchObject({ isWhole: true, rules: [] })
})

test('a request with no id, or more than 50, is refused', async () => {
  const many = Array.from({ length: 51 }, () => uuidv7())
  for (const groups of ['', String(many)]) {
    const { status, error } = await ask('GET', `/api/rules/matrix?groups=${groups}&places=${door}`)
    expect([status, error.code, Object.keys(error.fields)]).toEqual([
      400,
      'bad_request',
      [expect.stringMatching(/groups/)],
    ])
  }
})
