import type { Context, Outcome } from './expected-answer.ts'
import type { Finding } from './judge-answer.ts'
import type { Persona } from './personas.ts'
import { idTargets, type Place, type Target } from './places.ts'
import type { Answer } from './send.ts'

export const placements = ['plain', 'path', 'body', 'filter', 'search', 'order', 'columns', 'taken'] as const
export type Placement = (typeof placements)[number]

/** What a probe sends, in addition to the headers of its cell. */
export type Sent = {
  path: string
  body?: unknown
  /** Replaces the persona's session, for calls that end or change a session. */
  cookie?: string
}

/** The account where the request acts, or would act, and whether it is expected to succeed. */
export type Attempt = { persona: Persona; account: Place; succeeds: boolean }

/** One way of calling a route. */
export type Probe = {
  placement: Placement
  /** A description of the request; probes that differ only in their target share it. */
  what: string
  /** The account whose id the request contains, if any. */
  target?: Target
  /** The accounts whose ids the user may distinguish from absent ones; by default those that they read. */
  knows?: (context: Context) => ReadonlySet<Place>
  /** Other accounts that the answer may name: a refusal names the account whose nearer role refuses. */
  names?: (context: Context) => ReadonlySet<Place>
  send: (attempt: Attempt) => Sent | Promise<Sent>
  /** The outcome for a user who is admitted and has the right. */
  expects: (context: Context) => Outcome
  /** The outcome without the right, if the input is checked before the rights. */
  isReadFirst?: Outcome
  /** Checks a successful answer and returns a finding for a fault. */
  check?: (answer: Answer, context: Context) => Finding | undefined
  /** Row level security also admits the accounts below here, and only the application's filter separates them. */
  isNarrowedByFilter?: true
  /** The account that it changes, if it is another one than the account entered or that of the recipe. */
  changes?: Place
  /** Reverts the changes of a successful call that would disturb later requests. */
  undo?: (account: Place) => Promise<void>
}

/** How the matrix tests a route. */
export type Recipe = {
  /** Whether the role table allows the call in the account entered. */
  allows: (rights: NonNullable<Persona['rights']>) => boolean
  /** The accounts whose rows an answer may show: those that the headers read, the one entered, all of the user's, or none. */
  shows: 'reads' | 'account' | 'user' | 'nothing'
  /** Whether a repeated request returns the same answer. */
  isRead: boolean
  /** The account that a successful call may change; by default none for a read, and the account entered for other calls. */
  changes?: 'account' | Place
  /** Each successful call changes a user created for it, so that many requests may run at once. */
  needsNewUser?: true
  /** Its own refusals come before that of a session that is not fresh. */
  refusesBeforeFreshSignIn?: true
  probes: readonly Probe[]
}

export const ok: Outcome = { status: 200 }
export const created: Outcome = { status: 201 }
export const done: Outcome = { status: 204 }
export const badRequest: Outcome = { status: 400, code: 'bad_request' }
export const notFound: Outcome = { status: 404, code: 'not_found' }
export const forbidden: Outcome = { status: 403, code: 'forbidden' }

export function isIn(among: ReadonlySet<Place>, target: Target) {
  return target !== 'absent' && among.has(target)
}

/** The same probe with the id of each account's item. */
export function atEach(make: (target: Target) => Omit<Probe, 'target'>): Probe[] {
  return idTargets.map((target) => ({ ...make(target), target }))
}
