import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, expect, test } from 'vitest'
import { makeItem } from '../collections/test-items.ts'
import { startOwnServer } from '../test-server.ts'
import { startReportingUnreadable } from './report-unreadable.ts'

const server = await startOwnServer()
afterAll(server.stop)

test('each membership of a user is read, also where a slice ends between them', async () => {
  const { _id } = await makeItem({ ask: server.ask, collection: 'users', fields: { name: 'Two Accounts' } })
  const { ref } = await makeItem({ ask: server.ask, collection: 'accounts' })
  const key = await server.keyOf(String(ref))
  await server.database.asSystem(async (tx) => {
    await tx.run(sql`insert into membership (membership_user, membership_account) values (${_id}, ${key})`)
    await tx.run(sql`update membership set membership_valid_until = '20000-01-01' where membership_user = ${_id}`)
  })
  const logged: unknown[] = []
  const log = { error: (item: unknown) => void logged.push(item), warn: (item: unknown) => void logged.push(item) }
  await startReportingUnreadable({ database: server.database, log, slice: 1 }).done
  expect(logged.filter((item) => JSON.stringify(item).includes('Two Accounts'))).toHaveLength(2)
})

test('each stored item that cannot be read is logged by collection, name and id, whatever the slice', async () => {
  for (let count = 0; count < 5; count += 1) await makeItem({ ask: server.ask, collection: 'holidays' })
  const [holiday, rule] = [uuidv7(), uuidv7()]
  const key = await server.keyOf(server.account)
  await server.database.asSystem(async (tx) => {
    await tx.run(sql`insert into holiday (holiday_id, holiday_account, holiday_name, holiday_kind, holiday_dates)
      values (${holiday}, ${key}, 'Founders’ day', 'public', '"tomorrow"')`)
    await tx.run(sql`insert into rule (rule_id, rule_account, rule_name, rule_effect, rule_direction, rule_enabled)
      values (${rule}, ${key}, 'No robots', 'deny', 'both', true)`)
    await tx.run(sql`insert into link (link_account, link_owner, link_field, link_kind, link_target)
      values (${key}, ${rule}, 'who', 'Robot', ${uuidv7()})`)
  })
  const logged: unknown[] = []
  const log = { error: (item: unknown) => void logged.push(item), warn: (item: unknown) => void logged.push(item) }
  await startReportingUnreadable({ database: server.database, log, slice: 2 }).done
  const own = logged.filter((item) => /Founders|No robots/.test(JSON.stringify(item)))
  expect(own).toMatchObject([
    { collection: 'rules', item: rule, name: 'No robots' },
    { collection: 'holidays', item: holiday, name: 'Founders’ day' },
  ])
})
