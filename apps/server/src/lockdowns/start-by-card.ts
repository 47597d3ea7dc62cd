import type { FastifyBaseLogger } from 'fastify'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { ChangeFeed } from '../changes/change-feed.ts'
import type { Database, Transaction } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import { repeat } from '../repeat.ts'
import { beginLockdown } from './start-lockdown.ts'

const everyMs = 500
/** Account trees whose lockdowns start at the same time. */
const mostAtOnce = 4

const dueRow = z.object({ plan: z.uuid(), root: z.int() })

const cardRow = z.object({
  event: z.uuid(),
  user: z.uuid(),
  name: z.string(),
  account: z.int(),
  root: z.int(),
  subtree: z.array(z.int()),
  /** A user has ended the lockdown of the plan since the card was presented. */
  isOver: z.boolean(),
})

type StartByCardOptions = { database: Database; feed: ChangeFeed; log: FastifyBaseLogger }

/**
 * Starts the lockdowns whose cards were presented, one after the other in each account tree: a start that has to wait delays
 * no other customer. Every server checks, and one of them starts each; for a minute, it tries again.
 */
export function startLockdownsByCard({ database, feed, log }: StartByCardOptions) {
  const running = new Map<number, Promise<unknown>>()
  const job = repeat({ everyMs, log, failure: 'looking for lockdown cards failed; will retry' }, async () => {
    for (const { plan, root } of await dueCards(database, running)) {
      const ended = start(plan).finally(() => running.delete(root))
      running.set(root, ended)
    }
    const givenUp = await database.asSystem((tx) =>
      tx.rows(
        z.object({ plan: z.uuid() }),
        sql`delete from lockdown_card where lockdown_card_stored_at < now() - interval '1 minute'
            returning lockdown_card_plan as plan`,
      ),
    )
    for (const card of givenUp) log.error(card, 'a card did not start its lockdown within a minute; giving up')
  })
  return {
    async stop() {
      await job.stop()
      await Promise.all(running.values())
    },
  }

  async function start(plan: string) {
    try {
      await database.asSystem((tx) => startByCard(tx, plan))
      feed.hint()
    } catch (error) {
      log.warn({ err: error, plan }, 'a card could not start its lockdown')
      // A refusal would be the same again.
      if (error instanceof AppError) await database.asSystem((tx) => tx.run(withoutCard(plan))).catch(() => {})
    }
  }
}

/** The oldest of each account tree in which none is starting. */
function dueCards(database: Database, running: ReadonlyMap<number, unknown>) {
  return database.asSystem((tx) =>
    tx.rows(
      dueRow,
      sql`select * from (
            select distinct on (account_root) lockdown_card_plan as plan, account_root as root, lockdown_card_stored_at as since
              from lockdown_card join lockdown_plan on lockdown_plan_id = lockdown_card_plan
              join account on account_key = lockdown_plan_account
             where account_root <> all(${[...running.keys()]}::int[])
             order by account_root, lockdown_card_stored_at) oldest
           order by since limit ${mostAtOnce - running.size}`,
    ),
  )
}

/** Another server that has the same card leaves it out, or no longer finds it. */
async function startByCard(tx: Transaction, plan: string) {
  const card = await tx.first(
    cardRow,
    sql`select lockdown_card_event as event, lockdown_card_user as "user", lockdown_card_user_name as name,
           account_key as account, account_root as root,
           array(select account_closure_descendant from account_closure
                  where account_closure_ancestor = account_key) as subtree,
           exists (select from lockdown where lockdown_plan = lockdown_card_plan
                    and lockdown_ended_at > lockdown_card_stored_at) as "isOver"
          from lockdown_card join lockdown_plan on lockdown_plan_id = lockdown_card_plan
          join account on account_key = lockdown_plan_account
         where lockdown_card_plan = ${plan} for update of lockdown_card skip locked`,
  )
  if (!card) return
  const { user, name, account: key, root, subtree, event, isOver } = card
  const person = { _id: user, name }
  const access = { person, account: { key, root }, assumed: null, subtree, covered: subtree, requestId: event }
  if (!isOver) await beginLockdown(tx, { access, plan, by: 'card' })
  await tx.run(withoutCard(plan))
}

function withoutCard(plan: string) {
  return sql`delete from lockdown_card where lockdown_card_plan = ${plan}`
}
