import { credentialFacts } from '../decision/gather-facts.ts'
import { holderFacts, holderOf } from '../decision/holder-facts.ts'
import { isCredentialLeftOut, type LeftOutOfUnit, nothingLeftOut } from '../decision/left-out.ts'
import type { PolicyIndex } from '../decision/policy-index.ts'
import { accountOfReader, presentedCredential } from '../decision/presented-credential.ts'
import type { Credential, Door } from '../policy.ts'
import { stepSize } from '../steps.ts'
import { joinedSpans } from '../time/spans.ts'
import { validityRefusal } from '../time/validity.ts'
import type { Span } from '../time/zone.ts'
import { validSpanOf } from './access-times.ts'

/** The credentials that identify a user at a door, at an instant. */
export type Presentable = {
  readonly count: number
  /** Those in one list get the same decision at that instant. */
  readonly alike: readonly (readonly Credential[])[]
  /** When the user may use at least one of them, apart from the rules and the door. */
  readonly times: readonly Span[]
}

type UserAtDoor = { readonly user: string; readonly door: Door }

/** Finds what a user can present at doors, in short steps; at the next door of the same account it is found already. */
export function presentableFinder(index: PolicyIndex, at: number, leftOutByUnit = nothingLeftOut) {
  let found = { user: '', byReader: new Map<string, Presentable>() }
  return function* presentable({ user, door }: UserAtDoor): Generator<undefined, Presentable> {
    if (found.user !== user) found = { user, byReader: new Map() }
    const { byReader } = found
    const account = accountOfReader(index, door)
    const leftOut = leftOutByUnit.get(door.unit ?? '')
    // Units that leave out the same credentials share the result.
    const key = `${account} ${leftOut?.oldestCredential}`
    const made = byReader.get(key) ?? (yield* presentableBy(index, { user, account, at, leftOut }))
    byReader.set(key, made)
    return made
  }
}

export type PresentableFinder = ReturnType<typeof presentableFinder>

type UserInAccount = {
  readonly user: string
  readonly account: string
  readonly at: number
  readonly leftOut: LeftOutOfUnit | undefined
}

/**
 * A number may identify a credential of an account nearer to the reader. PINs do not count. A user may have thousands of
 * credentials, but a decision depends only on their account, status and validity, and on the room of the unit.
 */
function* presentableBy(
  index: PolicyIndex,
  { user, account, at, leftOut }: UserInAccount,
): Generator<undefined, Presentable> {
  const alike = new Map<string, Credential[]>()
  const spans = new Map<string, Span>()
  let [step, count] = [0, 0]
  // A copy, because the list may change between two steps.
  const credentials = (index.credentialsOfUser.get(user) ?? []).filter(({ kind }) => kind !== 'pin')
  for (const credential of credentials) {
    if (++step % stepSize === 0) yield
    if (presentedCredential(index, { account, number: credential.number }) !== credential) continue
    count++
    const isLeftOut = isCredentialLeftOut(leftOut, credential)
    const key = `${credential.account} ${credential.status} ${validityRefusal(credential, at)} ${isLeftOut}`
    const list = alike.get(key)
    if (list) list.push(credential)
    else alike.set(key, [credential])
    if (isLeftOut) continue
    const holder = holderOf(index, credential)
    const span = validSpanOf({
      credential: credentialFacts(credential, holder),
      holder: holder && holderFacts(index, holder),
    })
    if (span.from < span.until) spans.set(`${span.from} ${span.until}`, span)
  }
  return { count, alike: [...alike.values()], times: joinedSpans([...spans.values()]) }
}
