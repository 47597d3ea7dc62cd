import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import { prepared } from '../database/prepared-statements.ts'

/** The users of a server: the ids of their sessions, and their own. */
export type Served = { sessions: readonly string[]; people: readonly string[] }

/** The affected users; `all` if the previous state is unknown. */
export type ChangedRights = {
  ended: ReadonlySet<string>
  people: ReadonlySet<string> | 'all'
  /** Accounts that changed themselves, or whose place in the tree did, with all accounts below. */
  accounts: ReadonlySet<number>
  /** The users who see a changed account, from itself or from above, and the newest change that they see of it. */
  scopes: ReadonlyMap<string, string> | 'all'
}

const answer = z.object({
  snapshot: z.string(),
  at: z.string(),
  isLongAgo: z.boolean(),
  ended: z.array(z.string()),
  people: z.array(z.uuid()),
  accounts: z.array(z.int()),
  scopes: z.record(z.uuid(), z.string()),
})

type Moment = { snapshot: string; at: string }
type RightsWatchOptions = {
  database: Database
  served: () => Served
  onChanged: (changed: ChangedRights) => Promise<void>
}

/**
 * Follows the rights and sessions of this server's users. Messages are sent only after `check` has returned: a user never
 * receives a change that was committed after their right had ended.
 */
export class RightsWatch {
  readonly #parts: RightsWatchOptions
  #last: Moment | undefined
  /** The check before the last: a user who connected during the last one was not part of it, and may have older rights. */
  #from: Moment | undefined
  #checking: Promise<void> = Promise.resolve()
  #generation = 0

  constructor(parts: RightsWatchOptions) {
    this.#parts = parts
  }

  /** A new number: rights that were read in the meantime may be outdated. */
  get generation() {
    return this.#generation
  }

  /** One check after the other. Fails where the database cannot be queried. */
  check(): Promise<void> {
    const check = this.#checking.catch(() => {}).then(() => this.#check())
    this.#checking = check
    check.catch(() => {})
    return check
  }

  async #check() {
    const { served, onChanged } = this.#parts
    const { snapshot, at, ...found } = await this.#read(served())
    const isSure = this.#from !== undefined && !found.isLongAgo
    const changed: ChangedRights = {
      ended: new Set(found.ended),
      people: isSure ? new Set(found.people) : 'all',
      accounts: new Set(found.accounts),
      scopes: found.isLongAgo ? 'all' : new Map(Object.entries(found.scopes)),
    }
    const isAny = !isSure || found.ended.length + found.people.length + found.accounts.length > 0
    if (isAny) {
      this.#generation += 1
      await onChanged(changed)
    }
    this.#from = this.#last
    this.#last = { snapshot, at }
  }

  /** Rights begin and end by changes, which are recorded, and by the clock, which is not. */
  async #read({ sessions, people }: Served) {
    const question = rightsSince({ sessions, people, ...(this.#from ?? { snapshot: null, at: null }) })
    const [[[text] = []] = []] = await this.#parts.database.askSystem([question])
    return answer.parse(JSON.parse(text ?? ''))
  }
}

type RightsSinceInput = Served & { snapshot: string | null; at: string | null }

function rightsSince({ sessions, people, snapshot, at }: RightsSinceInput) {
  const since = sql`coalesce(${snapshot}::pg_snapshot, pg_current_snapshot())`
  const served = sql`${[...people]}::uuid[]`
  // Trees change rarely: their effects are queried only then.
  const isTreeChanged = sql`exists (select from place)`
  const below = sql`(select account_closure_descendant from place join account_closure on account_closure_ancestor = account)`
  return prepared(sql`with epoch as materialized (select person, account, begun from authorisation_epochs_since(${since})),
      place as materialized (select account, begun from epoch where account is not null)
    select json_build_object(
      'snapshot', pg_current_snapshot()::text,
      'at', now()::text,
      'isLongAgo', coalesce(${at}::timestamptz < now() - interval '5 minutes', false),
      'ended', array(
        select session from unnest(${[...sessions]}::uuid[]) as served (session)
         where not exists (select from open_session where open_session_id = session)),
      'people', array(
        select person from epoch where person = any(${served})
         union
        select membership_user from membership
         where membership_user = any(${served})
           and ((membership_valid_from > ${at}::timestamptz and membership_valid_from <= now())
             or (membership_valid_until > ${at}::timestamptz and membership_valid_until <= now())))
        || case when ${isTreeChanged} then array(
          select distinct membership_user from membership
           where membership_user = any(${served}) and membership_account in ${below}) else '{}' end,
      'accounts', case when ${isTreeChanged} then array(select account from place union ${below}) else '{}' end,
      'scopes', case when ${isTreeChanged} then (
        select coalesce(json_object_agg(user_id, newest::text), '{}') from (
          select user_id, max(begun) as newest from (
            select membership_user as user_id, begun from place
              join account_closure on account_closure_descendant = account
              join membership on membership_account = account_closure_ancestor
             where membership_user = any(${served})
             union all
            select person_id, begun from place, person where person_id = any(${served}) and person_hyper) seen
           group by user_id) newest_scope) else '{}' end)`)
}
