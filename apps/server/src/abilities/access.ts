import { type AbilityRule, type Action, isAllowed, type Role, type Subject } from '@portcullis/contract/abilities'
import type { Ability } from '@portcullis/contract/call'
import { AppError } from '../errors/app-error.ts'
import type { Assumption } from './find-assumption.ts'
import type { AccessProof } from './access-proof.ts'

export type AccessAccount = {
  _id: string
  key: number
  ref: string
  name: string
  root: number
  defaultTimeZone: string
}

/** `assumption`: the reason that was given; null for a program, which gives none. */
export type AssumedAccount = AccessAccount & { assumption: Assumption | null }

/** The user, the account and the rules of a request: the input of every generic verb and every call. */
export type Access = {
  person: { _id: string; name: string; hyper: boolean }
  account: AccessAccount
  /** The account itself where a hyper user acts in it on behalf of its users: history records it. */
  assumed: AssumedAccount | null
  role: Role | null
  inherited: boolean
  rules: AbilityRule[]
  /** Keys of the account and of all accounts below it. */
  subtree: number[]
  /** Of these, the accounts in which no nearer role of the same user allows less: they may be named by id. */
  covered: number[]
  /** Keys of the accounts that reads cover: the account alone, or all covered accounts if all were requested. */
  reads: number[]
  requestId: string
  /** Until when the session counts as fresh; null if it no longer does. */
  freshUntil: string | null
  /** Aborts when the client of the request has disconnected. */
  signal?: AbortSignal | undefined
  /** Refuses if the rights of the request have changed since: for work that has waited. */
  demandUnchanged?: () => Promise<void>
  /** Set for rights cached from an earlier request: the proof that the answer needs. */
  proof?: AccessProof
}

/** Refuses with 403 where the rules do not allow the action. */
export function demand(access: Access, { action, subject }: { action: Action; subject: Subject }) {
  if (isAllowed(access.rules, { action, subject })) return
  throw new AppError('forbidden', { action, subject, account: access.account.name })
}

/** Refuses with 403 unless the rules allow all of the abilities, and one of each inner list. */
export function demandAbilities(access: Access, abilities: readonly (Ability | readonly Ability[])[]) {
  for (const entry of abilities) {
    if ('action' in entry) demand(access, entry)
    else demandOne(access, entry)
  }
}

function demandOne(access: Access, abilities: readonly Ability[]) {
  if (abilities.some((ability) => isAllowed(access.rules, ability))) return
  const [last] = abilities.slice(-1)
  if (last === undefined) throw new Error('A call lists no ability that would allow it.')
  demand(access, last)
}

/** The same for a field that needs a separate permission. */
export function demandField(access: Access, { field, subject }: { field: string; subject: Subject }) {
  if (isAllowed(access.rules, { action: 'manage', subject })) return
  throw new AppError('forbidden', { action: 'manage', subject, account: access.account.name }, { at: [field] })
}
