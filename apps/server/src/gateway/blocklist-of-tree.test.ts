import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { VirtualUnit } from '@portcullis/controllers/virtual-unit'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { issueEnrolmentCode } from '../units/enrol.ts'
import { gatewayWorld, ids } from './test-world.ts'

const patience = { timeout: 60_000 }
const [other, otherSite, otherUnit, otherUser, otherCard] = [uuidv7(), uuidv7(), uuidv7(), uuidv7(), uuidv7()]

test('ended access is sent to no controller of another account tree, even if the whole tree is affected', async () => {
  const world = await gatewayWorld()
  onTestFinished(() => world.close())
  await world.run(sql`insert into account (account_id, account_ref, account_name, account_root, account_default_time_zone)
    values (${other}, 'other', 'Other', 0, 'UTC')`)
  const [account] = await world.rows(
    z.object({ key: z.int() }),
    sql`select account_key as key from account where account_id = ${other}`,
  )
  const key = account?.key ?? 0
  await world.run(sql`insert into site (site_id, site_account, site_name, site_time_zone)
    values (${otherSite}, ${key}, 'Quay', 'UTC')`)
  await world.run(sql`insert into unit (unit_id, unit_account, unit_name, unit_serial, unit_site)
    values (${otherUnit}, ${key}, 'Other controller', 'PC-2', ${otherSite})`)
  await world.run(sql`insert into person (person_id, person_home, person_name) values (${otherUser}, ${key}, 'Ben')`)
  await world.run(sql`insert into membership (membership_user, membership_account) values (${otherUser}, ${key})`)
  await world.run(sql`insert into credential (credential_id, credential_account, credential_kind, credential_number,
      credential_user, credential_status) values (${otherCard}, ${key}, 'card', '9', ${otherUser}, 'active')`)
  const { url } = await world.startServer()
  const mine = await world.enrolledUnit(url)
  const dir = await mkdtemp(join(tmpdir(), 'other-tree-'))
  const theirs = new VirtualUnit({ dir, serial: 'PC-2', url })
  onTestFinished(async () => {
    await theirs.stop()
    await rm(dir, { recursive: true, force: true })
  })
  await theirs.start()
  await theirs.enrol((await world.database.asSystem((tx) => issueEnrolmentCode(tx, otherUnit))).code)
  for (const unit of [mine, theirs]) {
    await expect.poll(() => unit.state().running?.appliedVersion, patience).toBe(1)
    // It forgets nothing that it is sent.
    await unit.setFaults({ memory: 'stuck' })
  }

  await suspend(ids.nomsa, world.accountKey, ids.account)
  await expect.poll(() => mine.state().running?.blocked, patience).toEqual([ids.card])
  await suspend(otherUser, key, other)
  await expect.poll(() => theirs.state().running?.blocked, patience).toEqual([otherCard])
  expect(mine.state().running?.blocked).toEqual([ids.card])

  /** Together with a change of the account, which affects all controllers of its tree. */
  function suspend(user: string, root: number, changed: string) {
    return world.database.asSystem(async (tx) => {
      await tx.run(sql`update account set account_recertify_every_days = 30 where account_key = ${root}`)
      await tx.run(sql`update membership set membership_status = 'suspended' where membership_user = ${user}`)
      await tx.run(sql`update policy set policy_version = policy_version + 1 where policy_root = ${root}`)
      await tx.run(sql`insert into change (change_account, change_collection, change_item, change_action, change_is_policy)
        values (${root}, 'users', ${user}, 'save', true), (${root}, 'accounts', ${changed}, 'save', true)`)
    })
  }
})
