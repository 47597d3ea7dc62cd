import { ApiError, isSessionEnded } from '@portcullis/client/api-error'
import type { AccountNode } from '@portcullis/contract/calls/authentication'
import { assumptionMaxMinutes } from '@portcullis/contract/calls/assume-account'
import { actIn } from '../session/account-ref.ts'
import {
  accountLeft,
  type ActingInside,
  actingInside,
  endActing,
  noteLeft,
  notifyActingEnded,
} from '../session/acting-inside.ts'
import { configurationQuery } from '../session/configuration-query.ts'
import { hierarchyQuery, meQuery } from '../session/me-query.ts'
import { queryClient } from '../session/query-client.ts'
import { toast } from '../ui/toasts.ts'
import { chooseLanguage } from '../text/language.ts'
import { text } from '../text/text.ts'
import { client } from '../session/client.ts'

// Listens for sign-ins elsewhere before it requests who is signed in here.
import { isSignedInElsewhere } from '../session/session-channel.ts'
import type { Session } from '../session/session-context.tsx'

export type Resolved =
  | { outcome: 'session'; session: Session }
  | { outcome: 'elsewhere'; ref: string }
  | { outcome: 'no_account' }
  | { outcome: 'unknown' }
  | { outcome: 'signed_out' }
  | { outcome: 'unverified' }

/** Finds the account that the first part of a path names (ref, `_id` or `null`), and makes it the current one. */
export async function resolveAccount(segment: string): Promise<Resolved> {
  // Requested again after it has failed: the whole console needs it.
  void queryClient.prefetchQuery(configurationQuery)
  try {
    if (segment === 'null') return await firstAccount()
    if (isId(segment)) return await accountOfId(segment)
    return await accountOfRef(segment)
  } catch (error) {
    if (isSessionEnded(error)) return await signedOut()
    const refusal = error instanceof ApiError ? refusedAccount(error, segment) : undefined
    if (refusal === undefined) throw error
    return refusal
  }
}

async function accountOfRef(ref: string): Promise<Resolved> {
  settleActing(ref)
  const left = accountLeft()
  if (left?.ref === ref) return backFromLeft(left)
  const me = await queryClient.ensureQueryData({ ...meQuery(ref), revalidateIfStale: true })
  if (chooseLanguage(me.user.language)) return reload()
  if (!me.user.verified) return { outcome: 'unverified' }
  if (!me.account) return { outcome: 'no_account' }
  if (actingInside() && !me.assumption) return backFromActing()
  actIn(me.account.ref)
  if (me.account.ref !== ref) return { outcome: 'elsewhere', ref: me.account.ref }
  return { outcome: 'session', session: { ...me, account: me.account } }
}

/** Where the server's refusal leads; undefined for any other failure. */
function refusedAccount({ code, status }: ApiError, segment: string): Resolved | undefined {
  if (code === 'unverified') return { outcome: 'unverified' }
  // The user left in the middle of a sign-in and starts again.
  if (code === 'code_owed') return { outcome: 'signed_out' }
  if (status === 403 && actingInside()) return backFromActing()
  // An unknown account leads to `null`, and from there nowhere: a user without a first account would return for ever.
  if (accountRefusals.has(status)) return { outcome: segment === 'null' ? 'no_account' : 'unknown' }
  return undefined
}

const accountRefusals: ReadonlySet<number> = new Set([400, 403, 404])

async function signedOut(): Promise<Resolved> {
  if (!isSignedInElsewhere()) return { outcome: 'signed_out' }
  // The answer belongs to the previous session.
  return reload()
}

/** Shows nothing else until the page is reloaded. */
function reload(): Promise<never> {
  location.reload()
  return new Promise(() => {})
}

/** Once only: a user who lost access to their own account would be redirected for ever. */
function backFromLeft({ from }: ActingInside): Resolved {
  noteLeft(undefined)
  return { outcome: 'elsewhere', ref: from }
}

/** A user acts inside an account on its screens only: on those of another account this ends. */
function settleActing(ref: string) {
  const acting = actingInside()
  if (!acting) return
  if (acting.ref === ref) actIn(ref)
  noteLeft(acting.ref === ref ? undefined : leaveActing())
}

/** The server has no such account: shows the same screen in the user's own account. */
function backFromActing(): Resolved {
  notifyActingEnded('server')
  const left = leaveActing()
  noteLeft(left)
  return { outcome: 'elsewhere', ref: left?.from ?? 'null' }
}

async function firstAccount(): Promise<Resolved> {
  const { account, user } = await queryClient.ensureQueryData({ ...meQuery(null), revalidateIfStale: true })
  if (!user.verified) return { outcome: 'unverified' }
  const ref = account?.ref ?? user.accounts[0]?.ref
  return ref ? { outcome: 'elsewhere', ref } : { outcome: 'no_account' }
}

async function accountOfId(id: string): Promise<Resolved> {
  const ref = refOf(await queryClient.fetchQuery(hierarchyQuery()), id.toLowerCase())
  return ref ? { outcome: 'elsewhere', ref } : { outcome: 'unknown' }
}

function refOf(nodes: readonly AccountNode[], id: string): string | undefined {
  for (const node of nodes) {
    const found = node._id === id ? node.ref : refOf(node.children, id)
    if (found) return found
  }
  return undefined
}

function isId(segment: string) {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(segment)
}

/** Stops acting inside the account, informs the server and the user, and returns the account that they return to. */
function leaveActing() {
  const ended = endActing()
  if (!ended) return undefined
  const { ref, name, from, over } = ended
  // Where the server does not receive it, it ends with the session or after its hour.
  void client.accounts.endAssumption(ref, { from }).catch(() => undefined)
  queryClient.removeQueries({ queryKey: meQuery(ref).queryKey })
  toast({ text: text(`acting.${over}`, { name, minutes: assumptionMaxMinutes }) })
  return ended
}
