import { mkdir } from 'node:fs/promises'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database, Transaction } from '../database/database.ts'
import { Policies } from '../policy/policies.ts'
import { fillPast } from './past/fill-past.ts'
import { seededRandom } from './random.ts'
import { homeOfControllers } from './virtual-controllers.ts'
import { firstAccount } from './world/accounts.ts'
import { fillWorld } from './world/fill-world.ts'

/** The same people, cards and habits in every demonstration. */
const seed = 20_261

/**
 * Fills an installation that has nothing but the demonstration's first account and its administrator, all or nothing.
 * Answers a sentence that says what there is now; undefined where there was something already.
 */
export function fillDemonstration(database: Database, { now, dataDir }: { now: Date; dataDir: string }) {
  const since = performance.now()
  return database.asSystem(async (tx) => {
    const empty = await emptyInstallation(tx)
    if (!empty) return undefined
    await mkdir(homeOfControllers(dataDir), { recursive: true, mode: 0o700 })
    const random = seededRandom(seed)
    await fillWorld(tx, { administrator: empty.administrator, now, random })
    // The schedules are older than the events of the past week that they explain.
    await tx.run(
      sql`update schedule set schedule_created_at = ${monthBefore(now)}, schedule_updated_at = ${monthBefore(now)}`,
    )
    // The policy is read before it is committed, so it is nobody else's to keep.
    const policies = new Policies(database)
    const events = await fillPast(tx, { root: empty.root, policies, now, random })
    const { accounts, sites, doors, units, users } = (await policies.inTransaction(tx, empty.root)).index.policy
    const people = users.filter(({ _id }) => _id !== empty.administrator)
    const seconds = ((performance.now() - since) / 1_000).toFixed(1)
    return `Demonstration: ${accounts.length} accounts, ${sites.length} sites, ${doors.length} doors, ${units.length} virtual controllers, ${people.length} people, ${events} past events (${seconds} s).`
  })
}

function monthBefore(now: Date) {
  return new Date(now.getTime() - 30 * 24 * 3_600_000)
}

/** Servers that start together take turns, and the second one finds it filled. */
async function emptyInstallation(tx: Transaction) {
  await tx.run(sql`select pg_advisory_xact_lock(7361907)`)
  return tx.first(
    z.object({ root: z.int(), administrator: z.uuid() }),
    sql`select account_key as root, person_id as administrator
          from account join person on person_home = account_key and person_hyper
         where account_ref = ${firstAccount.ref} and not exists (select from site)
           and (select count(*) from account) = 1 and (select count(*) from person) = 1`,
  )
}
