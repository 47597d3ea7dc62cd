import type { Finding } from '@portcullis/contract/collections/events'
import {
  antiPassbackKinds,
  credentialKinds,
  credentialStatuses,
  directions,
  doorModes,
  holidayKinds,
  ruleDirections,
  userStatuses,
  whereKinds,
  whoKinds,
} from '@portcullis/domain/policy'
import { decisionSteps, reasonCodes } from '@portcullis/domain/decision/reasons'
import { z } from 'zod'

/** The facts of one step, as `packages/domain/src/decision/finding.ts` writes them. An unreadable fact is left out, and the others are shown. */
export type ParsedFinding = z.output<typeof findingSchema>
export type Facts = z.output<typeof facts>
export type RuleFacts = z.output<typeof ruleFacts>

/** The findings with a known step, in their order. */
export function parseFindings(findings: readonly Finding[]): ParsedFinding[] {
  return findings.flatMap((finding) => findingSchema.safeParse(finding).data ?? [])
}

const moment = optional(z.iso.datetime({ offset: true }))
const name = optional(z.string())
/** Without an id it belongs to an account above, or is out of the reader's scope. */
const ref = z.object({ _id: optional(z.string()), name })

const ruleFacts = z.object({
  rule: optional(ref),
  via: optional(
    z.object({ who: ref.extend({ kind: z.enum(whoKinds) }), where: ref.extend({ kind: z.enum(whereKinds) }) }),
  ),
  direction: optional(z.enum(directions)),
  ruleDirection: optional(z.enum(ruleDirections)),
  adhoc: optional(z.object({ from: z.iso.datetime({ offset: true }), until: z.iso.datetime({ offset: true }) })),
  schedule: optional(ref),
  scheduleMissing: optional(z.boolean()),
  leftOut: optional(z.boolean()),
  timeZone: optional(z.string()),
  holiday: optional(ref.extend({ kind: z.enum(holidayKinds) })),
  closedSince: moment,
  opensAt: moment,
  openUntil: moment,
})

const facts = ruleFacts.extend({
  door: optional(ref),
  unit: optional(ref),
  mode: optional(z.enum(doorModes)),
  lockdowns: optional(z.array(ref)),
  mayPass: optional(z.array(ref)),
  credential: optional(
    z.object({
      _id: optional(z.string()),
      kind: optional(z.enum(credentialKinds)),
      status: z.enum(credentialStatuses),
    }),
  ),
  holder: optional(ref.extend({ status: z.enum(userStatuses) })),
  validFrom: moment,
  validUntil: moment,
  recertifyBy: optional(z.iso.datetime({ offset: true }).nullable()),
  otherRules: optional(z.array(ruleFacts.extend({ reason: optional(z.enum(reasonCodes)) }))),
  required: optional(z.boolean()),
  state: optional(z.object({ antipassback: optional(z.string()) })),
  conditions: optional(
    z.object({
      interlock: optional(z.array(ref)),
      areas: optional(z.array(ref.extend({ kind: z.enum(antiPassbackKinds), minutes: z.int() }))),
      firstPersonGroup: optional(ref),
    }),
  ),
})

const findingSchema = z.object({
  step: z.enum(decisionSteps),
  outcome: z.enum(['passed', 'refused', 'not_asked']),
  reason: optional(z.enum(reasonCodes)),
  facts,
})

function optional<S extends z.ZodType>(schema: S) {
  return schema.optional().catch(undefined)
}
