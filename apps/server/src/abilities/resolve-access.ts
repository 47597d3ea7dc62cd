import { hyperRules, isAllowed, type Role, rulesOfRole } from '@portcullis/contract/abilities'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import { prepared } from '../database/prepared-statements.ts'
import { AppError } from '../errors/app-error.ts'
import { findAssumption } from './find-assumption.ts'
import { requireFreshSignIn } from '../sessions/require-fresh-sign-in.ts'
import type { SessionPerson } from '../sessions/session-store.ts'
import type { Access } from './access.ts'

const accountRow = z.object({
  _id: z.uuid(),
  key: z.int(),
  ref: z.string(),
  name: z.string(),
  root: z.int(),
  defaultTimeZone: z.string(),
  /** From the account itself upward. */
  upward: z.array(z.int()),
  subtree: z.array(z.int()),
})

type FoundAccount = z.output<typeof accountRow>

/**
 * A user's rights in an account, and the keys from that account up to its root, on which the rights depend. `heldAt` is the
 * key of the account in which the user has the role; null for hyper users without one.
 */
export type AccessAt = Access & { upward: number[]; heldAt: number | null }

type ResolveAccessInput = {
  person: SessionPerson
  account: string
  allAccounts: 'yes' | 'no'
  /** The account below that a hyper user acts inside. */
  assumed?: string | undefined
  requestId: string
}

/**
 * What a user may do in an account: the role held there or on the nearest account above, as rules. `account`
 * is a ref, an `_id`, or `null` for the user's first. An account out of scope is refused like an absent one.
 */
export async function resolveAccess(
  database: Database,
  { person, account, allAccounts, assumed, requestId }: ResolveAccessInput,
): Promise<AccessAt> {
  const current = await enterAccount(database, {
    person,
    requested: account === 'null' ? firstAccount(person) : account,
  })
  const found = assumed === undefined ? current : await assumeAccount(database, { person, current, requested: assumed })
  const held = roleIn(found.upward, person)
  const role = held?.role ?? null
  const { upward, subtree, ...where } = found
  const { _id: session, freshUntil } = person.session
  const { hyper, memberships } = person
  const covered = await coveredAccounts(database, { role: hyper ? null : role, memberships, subtree })
  const began = { session, from: current.key, upward, freshUntil }
  const assumption = found === current ? null : await permittedAssumption(database, began)
  return {
    person: { _id: person._id, name: person.name, hyper },
    account: where,
    assumed: found === current ? null : { ...where, assumption },
    role,
    inherited: held !== undefined && held.key !== found.key,
    rules: rulesOf(person, held),
    subtree,
    covered,
    reads: allAccounts === 'yes' ? covered : [found.key],
    requestId,
    freshUntil,
    upward,
    heldAt: held?.key ?? null,
  }
}

type PermittedAssumptionInput = Parameters<typeof findAssumption>[1] & { freshUntil: string | null }

/** The header alone must not replace the fresh sign-in that starting an assumption needs. */
async function permittedAssumption(database: Database, { freshUntil, ...began }: PermittedAssumptionInput) {
  const assumption = await findAssumption(database, began)
  if (!assumption) requireFreshSignIn({ freshUntil })
  return assumption
}

type EnterAccountInput = { person: SessionPerson; requested: string | undefined }

async function enterAccount(database: Database, { person, requested }: EnterAccountInput) {
  const found = await findAccount(database, requested)
  if (!found || (!person.hyper && !roleIn(found.upward, person))) throw refusedAccount()
  return found
}

type AssumeAccountInput = {
  person: { hyper: boolean }
  current: Pick<FoundAccount, 'key' | 'subtree'>
  requested: string
}

/** Only downward, and only for hyper users: anything else is refused like an absent account. */
export async function assumeAccount(database: Database, { person, current, requested }: AssumeAccountInput) {
  const found = person.hyper ? await findAccount(database, requested) : undefined
  if (!found || found.key === current.key || !current.subtree.includes(found.key)) throw refusedAccount()
  return found
}

function refusedAccount() {
  return new AppError('account_refused')
}

function rulesOf({ hyper }: SessionPerson, held: Membership | undefined) {
  if (hyper) return hyperRules
  return held ? rulesOfRole(held.role) : []
}

type Membership = SessionPerson['memberships'][number]

function roleIn(upward: number[], person: SessionPerson) {
  for (const key of upward) {
    const held = person.memberships.find((membership) => membership.key === key)
    if (held) return held
  }
  return undefined
}

function firstAccount(person: SessionPerson) {
  return person.memberships[0]?.ref
}

/** Without a requested account: the oldest of the installation, where a hyper user without memberships begins. */
function findAccount(database: Database, requested: string | undefined) {
  return database.first(
    accountRow,
    prepared(sql`select account_id as _id, account_key as key, account_ref as ref, account_name as name, account_root as root,
           account_default_time_zone as "defaultTimeZone",
           array(select account_closure_ancestor from account_closure
                  where account_closure_descendant = account_key order by account_closure_depth) as upward,
           array(select account_closure_descendant from account_closure
                  where account_closure_ancestor = account_key) as subtree
          from account where ${named(requested)}`),
  )
}

function named(requested: string | undefined) {
  if (requested === undefined) return sql`account_parent is null order by account_key limit 1`
  return z.uuid().safeParse(requested).success ? sql`account_id = ${requested}` : sql`account_ref = ${requested}`
}

type Held = { key: number; role: Role }
/** `role` is the user's role in the current account; null for hyper users, who need no role. */
type CoveredInput = { role: Role | null; memberships: readonly Held[]; subtree: readonly number[] }

/**
 * Of an account and all below it, the accounts that a role covers. It leaves out accounts in which a nearer role of the
 * same user allows less: data that the user may not request there is not shown from above either.
 */
async function coveredAccounts(database: Database, { role, memberships, subtree }: CoveredInput): Promise<number[]> {
  const held = role === null ? [] : memberships.filter(({ key }) => subtree.includes(key))
  const lesser = new Set(held.filter((nearer) => role !== null && !includes(nearer.role, role)).map(({ key }) => key))
  if (lesser.size === 0) return [...subtree]
  const under = await database.rows(
    z.object({ key: z.int(), nearest: z.int() }),
    sql`select distinct on (account_closure_descendant)
           account_closure_descendant as key, account_closure_ancestor as nearest
          from account_closure
         where account_closure_ancestor = any(${held.map(({ key }) => key)}::int[])
           and account_closure_descendant = any(${[...subtree]}::int[])
         order by account_closure_descendant, account_closure_depth`,
  )
  const left = new Set(under.filter(({ nearest }) => lesser.has(nearest)).map(({ key }) => key))
  return subtree.filter((key) => !left.has(key))
}

/** Whether a role allows everything that another allows. */
function includes(role: Role, other: Role) {
  const rules = rulesOfRole(role)
  return rulesOfRole(other).every(({ action, subject }) => subject !== 'all' && isAllowed(rules, { action, subject }))
}
