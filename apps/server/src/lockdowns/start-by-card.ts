import type { FastifyBaseLogger } from 'fastify'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { ChangeFeed } from '../changes/change-feed.ts'
import type { Database, Transaction } from '../database/database.ts'
import { repeat } from '../repeat.ts'
import { beginLockdown } from './start-lockdown.ts'

const everyMs = 500
const mostAtOnce = 100

const dueRow = z.object({ event: z.uuid(), plan: z.uuid() })

const cardRow = z.object({
  event: z.uuid(),
  plan: z.uuid(),
  user: z.uuid(),
  name: z.string(),
  account: z.int(),
  root: z.int(),
  subtree: z.array(z.int()),
})

type StartByCardOptions = { database: Database; feed: ChangeFeed; log: FastifyBaseLogger }

/** Starts the lockdowns whose cards were presented. Every server checks, and one of them starts each; for a minute, it tries again. */
export function startLockdownsByCard({ database, feed, log }: StartByCardOptions) {
  return repeat({ everyMs, log, failure: 'starting lockdowns by card failed; will retry' }, async () => {
    const due = await database.asSystem((tx) =>
      tx.rows(
        dueRow,
        sql`select lockdown_card_event as event, lockdown_card_plan as plan
        from lockdown_card order by lockdown_card_stored_at limit ${mostAtOnce}`,
      ),
    )
    if (due.length === 0) return
    for (const card of due) {
      await database
        .asSystem((tx) => startByCard(tx, card))
        .catch((error: unknown) => log.warn({ err: error, ...card }, 'a card could not start its lockdown; will retry'))
    }
    feed.hint()
    const givenUp = await database.asSystem((tx) =>
      tx.rows(
        dueRow,
        sql`delete from lockdown_card where lockdown_card_stored_at < now() - interval '1 minute'
            returning lockdown_card_event as event, lockdown_card_plan as plan`,
      ),
    )
    for (const card of givenUp) log.error(card, 'a card did not start its lockdown within a minute; giving up')
  })
}

/** Another server that has the same card waits for the row, and then finds it gone. */
async function startByCard(tx: Transaction, { event, plan }: { event: string; plan: string }) {
  const card = await tx.first(
    cardRow,
    sql`with taken as (
          delete from lockdown_card where lockdown_card_event = ${event} and lockdown_card_plan = ${plan} returning *)
        select lockdown_card_event as event, lockdown_card_plan as plan, lockdown_card_user as "user",
               lockdown_card_user_name as name, account_key as account, account_root as root,
               array(select account_closure_descendant from account_closure
                      where account_closure_ancestor = account_key) as subtree
          from taken join lockdown_plan on lockdown_plan_id = lockdown_card_plan
          join account on account_key = lockdown_plan_account`,
  )
  if (!card) return
  const { user, name, account: key, root, subtree } = card
  const person = { _id: user, name }
  const access = { person, account: { key, root }, assumed: null, subtree, covered: subtree, requestId: event }
  await beginLockdown(tx, { access, plan })
}
