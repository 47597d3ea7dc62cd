import { nameOf } from '@portcullis/contract/call'
import { whoAmI } from '@portcullis/contract/calls/authentication'
import { patchMe } from '@portcullis/contract/calls/own-account'
import type { ErrorCode } from '@portcullis/contract/errors'
import type { Route } from './document-routes.ts'
import type { Meaning } from './header-kinds.ts'
import { coveredFrom, type Persona, personaIn } from './personas.ts'
import { type Place, type Target, treeBelow } from './places.ts'

export type Outcome = { status: number; code?: ErrorCode }

/** Where a user with accepted headers acts, and the accounts they see from there. */
export type Context = {
  persona: Persona
  account: Place
  reads: ReadonlySet<Place>
  /** The accounts that a request may name: this one and those below, except where the user has a lesser role. */
  covers: ReadonlySet<Place>
  /** Whether the user assumes this account from one above it. */
  isAssumed: boolean
}

export type Entry = { is: 'refused'; outcome: Outcome } | { is: 'open' } | { is: 'in'; context: Context }

/** The result of the design's rules on sessions and headers, applied before the request itself is read. */
export function enter({ route, persona, meaning }: { route: Route; persona: Persona; meaning: Meaning }): Entry {
  const unreadable = headersRefusal(meaning)
  if (unreadable) return refused(unreadable)
  if (route.isGuarded) {
    if (meaning.account === 'missing') return refused(headerMissing)
    if (meaning.origin === 'foreign') return refused({ status: 403, code: 'origin_refused' })
  }
  if (route.requires === 'none') return { is: 'open' }
  if (meaning.session === 'made up') return refused({ status: 401, code: 'session_ended' })
  if (persona.cookie === undefined) return refused({ status: 401, code: 'unauthenticated' })
  if (meaning.account === 'missing') return refused(headerMissing)
  if (route.requires === 'session' || isForOutsiders(route, persona)) return { is: 'open' }
  return enterAccount(persona, meaning)
}

/** Users without any role may still call whoAmI and patchMe, outside accounts. */
function isForOutsiders({ name }: Route, { rights }: Persona) {
  return [nameOf(whoAmI), nameOf(patchMe)].includes(name) && rights === undefined
}

function enterAccount(persona: Persona, meaning: Meaning): Entry {
  const { account, assumed, all } = meaning
  const current = currentPlace(persona, account)
  if (current === undefined) return refused({ status: 403, code: 'account_refused' })
  const place = assumed === undefined ? current : placeAssumed(persona, { current, assumed })
  if (place === undefined) return refused({ status: 403, code: 'account_refused' })
  const covers = coveredFrom(place, persona)
  const reads = all === 'yes' ? covers : new Set([place])
  const isAssumed = assumed !== undefined
  return { is: 'in', context: { persona: personaIn(place, persona), account: place, reads, covers, isAssumed } }
}

const headerMissing: Outcome = { status: 400, code: 'header_missing' }
const headerInvalid: Outcome = { status: 400, code: 'header_invalid' }

/** Headers that a request has must be readable and agree, even where the call does not use them. */
function headersRefusal({ account, assumed, all }: Meaning): Outcome | undefined {
  if ([account, assumed, all].includes('invalid')) return headerInvalid
  if (assumed === undefined) return undefined
  if (account === 'missing') return headerMissing
  return account === 'first' || account === assumed ? headerInvalid : undefined
}

/** A role on `own` applies there and below; hyper users may enter every account, and start at the root. */
function currentPlace({ rights }: Persona, account: Meaning['account']): Place | undefined {
  if (rights === undefined || account === 'absent' || account === 'missing' || account === 'invalid') return undefined
  if (account === 'first') return rights === 'hyper' ? 'root' : 'own'
  return rights === 'hyper' || treeBelow('own').has(account) ? account : undefined
}

/** Only hyper users may assume an account, and only one below. */
function placeAssumed({ rights }: Persona, { current, assumed }: { current: Place; assumed: Target | 'invalid' }) {
  if (rights !== 'hyper' || assumed === 'invalid' || assumed === 'absent' || assumed === current) return undefined
  return treeBelow(current).has(assumed) ? assumed : undefined
}

function refused(outcome: Outcome): Entry {
  return { is: 'refused', outcome }
}
