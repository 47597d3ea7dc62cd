import { z } from 'zod'
import { defineCall } from '../call.ts'
import { instant } from '../fields.ts'

/** How long a hyper user can act inside an account before a reason is required again. */
export const assumptionMaxMinutes = 60

/** Why a hyper user acts inside an account, since when, and when that ends unless the session ends first. */
export const assumption = z.object({ reason: z.string(), since: instant(), until: instant() })

const reason = z.string().trim().min(3).max(500)

const params = { id: 'The _id of an account below that of X-JS-ACCOUNT, or its ref.' } as const

export const assumeAccount = defineCall({
  id: 'assume-account',
  method: 'POST',
  path: '/api/accounts/{id}/assume',
  tag: 'accounts',
  summary: 'Start acting inside an account, and give the reason',
  description: `For hyper users; other users, and other accounts, get 403 \`account_refused\`. Audit log entries of changes made there with x-js-assume-account then carry the reason, until the user stops, the session ends or ${assumptionMaxMinutes} minutes have passed. After that, a session that has called this is refused with \`assumption_ended\`; a program that never calls it can send the header without a reason for ten minutes after it signed in; later it gets 403 \`fresh_sign_in_needed\`.`,
  access: 'account',
  needsFreshSignIn: true,
  params,
  input: z.strictObject({ reason }),
  /** `_id` is that of the audit log entry of the start. */
  output: assumption.extend({ _id: z.uuid(), ref: z.string(), name: z.string() }),
  returns: 'The assumption that is open; one that was open already keeps its reason.',
  errors: ['assumption_ended', 'already_acting'],
})
export type Assumed = z.output<typeof assumeAccount.output>

export const endAssumption = defineCall({
  id: 'end-assumption',
  method: 'POST',
  path: '/api/accounts/{id}/assume/end',
  tag: 'accounts',
  summary: 'Stop acting inside an account',
  description: 'Does nothing if it has ended already.',
  access: 'account',
  params,
  output: z.object({ seconds: z.int().nullable() }),
  returns: 'How long it lasted, or null if nothing was open.',
  errors: ['assumption_ended', 'already_acting'],
})

/** What ended it: the user, the time limit, or the end of the session. */
export const assumptionEnds = ['stopped', 'time', 'session'] as const
export type AssumptionEnd = (typeof assumptionEnds)[number]
