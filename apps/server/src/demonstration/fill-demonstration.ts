import { mkdir } from 'node:fs/promises'
import { collections } from '@portcullis/contract/collections/registry'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database, Transaction } from '../database/database.ts'
import { Policies } from '../policy/policies.ts'
import { daysOfPast, fillPast } from './past/fill-past.ts'
import { policyInTime } from './past/policy-in-time.ts'
import { seededRandom } from './random.ts'
import { homeOfControllers } from './live/virtual-controllers.ts'
import { firstAccount } from './world/accounts.ts'
import type { Chronicle } from './world/chronicle.ts'
import { tellWorld } from './world/tell-world.ts'
import { writeWorld } from './world/write-world.ts'

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
    const chronicle = tellWorld({ ...empty, now, random })
    await writeWorld(tx, { chronicle, root: empty.root, random })
    await moveBeginning(tx, { ...empty, chronicle })
    // The policy is read before it is committed, so it is nobody else's to keep.
    const { index } = await new Policies(database).inTransaction(tx, empty.root)
    const policies = policyInTime({
      now: index,
      deeds: chronicle.deeds(),
      since: now.getTime() - (daysOfPast + 1) * 86_400_000,
    })
    const events = await fillPast(tx, { policies, now, random })
    const seconds = ((performance.now() - since) / 1_000).toFixed(1)
    return `Demonstration: ${told(chronicle)}, ${events} past events (${seconds} s).`
  })
}

function told(chronicle: Chronicle) {
  const count = ({ name }: { name: string }) =>
    chronicle.items().filter(({ collection }) => collection.name === name).length
  const { accounts, sites, doors, units, users } = collections
  return `${count(accounts) + 1} accounts, ${count(sites)} sites, ${count(doors)} doors, ${count(units)} virtual controllers, ${count(users)} people`
}

/** The account and its administrator were there before what they have made. */
function moveBeginning(tx: Transaction, { administrator, firstAccountId, chronicle }: Begun) {
  const [first] = chronicle.deeds()
  const began = new Date((first?.at ?? 0) - 600_000).toISOString()
  return tx.run(
    sql`with person as (update person set person_created_at = ${began} where person_id = ${administrator}),
             membership as (update membership set membership_created_at = ${began}, membership_updated_at = ${began}
                             where membership_user = ${administrator})
        update account set account_created_at = ${began}, account_updated_at = ${began} where account_id = ${firstAccountId}`,
  )
}

const emptyRow = z.object({ root: z.int(), firstAccountId: z.uuid(), administrator: z.uuid() })
type Begun = z.output<typeof emptyRow> & { chronicle: Chronicle }

/** Servers that start together take turns, and the second one finds it filled. */
async function emptyInstallation(tx: Transaction) {
  await tx.run(sql`select pg_advisory_xact_lock(7361907)`)
  return tx.first(
    emptyRow,
    sql`select account_key as root, account_id as "firstAccountId", person_id as administrator
          from account join person on person_home = account_key and person_hyper
         where account_ref = ${firstAccount.ref} and not exists (select from site)
           and (select count(*) from account) = 1 and (select count(*) from person) = 1`,
  )
}
