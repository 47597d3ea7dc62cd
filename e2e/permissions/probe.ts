import type { Context, Outcome } from './expected-answer.ts'
import type { Finding } from './judge-answer.ts'
import type { Persona } from './personas.ts'
import { idTargets, type Place, type Target } from './places.ts'
import type { Answer } from './send.ts'

export const placements = ['plain', 'path', 'body', 'filter', 'search', 'order', 'columns', 'taken'] as const
export type Placement = (typeof placements)[number]

/** What a probe sends, besides the headers of its cell. */
export type Sent = {
  path: string
  body?: unknown
  /** Another session than the persona's own: one that the call is to end. */
  cookie?: string
}

/** Where the request will act, or would if it could; whether it is one of those that will succeed. */
export type Aim = { persona: Persona; account: Place; succeeds: boolean }

/** One way of asking a route. */
export type Probe = {
  placement: Placement
  /** Says what is asked; probes that differ only in their target share it. */
  what: string
  /** Whose id it carries, where it carries one. */
  target?: Target
  /** Whose ids somebody there may tell from absent ones; without it, those of the accounts that they read. */
  knows?: (context: Context) => ReadonlySet<Place>
  /** Whose accounts the answer may name besides: a refusal names the account in which a nearer role refuses. */
  names?: (context: Context) => ReadonlySet<Place>
  send: (aim: Aim) => Sent | Promise<Sent>
  /** What somebody gets who has entered and whom the rules allow it. */
  expects: (context: Context) => Outcome
  /** What is refused before anybody asks for rights, with this. */
  isReadFirst?: Outcome
  /** Looks into a right answer; what is wrong with it is told. */
  check?: (answer: Answer, context: Context) => Finding | undefined
  /** Where row level security sees the accounts below too, and the application's filter alone tells them apart. */
  isNarrowedByFilter?: true
  /** The account that it changes, where that is neither the one entered nor what the recipe says. */
  changes?: Place
  /** Takes back what a right answer has left behind, where that would be in the way. */
  undo?: (account: Place) => Promise<void>
}

/** Everything that the matrix knows of a route. */
export type Recipe = {
  /** Whether the role table allows it, in the account entered. */
  allows: (rights: NonNullable<Persona['rights']>) => boolean
  /** Whose rows an answer may show: what the headers' reads cover, the account alone, the person's accounts, nobody's. */
  shows: 'reads' | 'account' | 'person' | 'nothing'
  /** Whether the same question has the same answer again. */
  isRead: boolean
  /** Where a right answer may leave something behind; without it, a read nowhere and whatever else in the account entered. */
  changes?: 'account' | Place
  /** Each right answer changes somebody who was made for it, so that many may be asked at once. */
  isOfSomebodyNew?: true
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
