import { reasonCodes, verdicts } from '@portcullis/domain/decision/reasons'
import { z } from 'zod'
import { defineCall, schemaNames, view } from '../call.ts'
import { instant } from '../fields.ts'
import { explained, named } from './explorer.ts'

/**
 * Why a past decision cannot be evaluated again: the event is no decision of a controller, its door is unknown, or it
 * names no credential, because the number was unknown or the reader read none.
 */
export const whyThenObstacles = ['no_decision', 'no_door', 'no_credential'] as const
export type WhyThenObstacle = (typeof whyThenObstacles)[number]

/** The kinds of items on which a decision depends. */
export const changedKinds = [
  'door',
  'unit',
  'site',
  'credential',
  'user',
  'rule',
  'schedule',
  'holiday',
  'userGroup',
  'doorGroup',
  'siteGroup',
] as const

/** `joined`, `left`: the user, the door or the site became a member of the group, or no longer is one. */
export const changeActions = ['create', 'patch', 'delete', 'joined', 'left'] as const

const decision = z.object({
  verdict: z.enum(verdicts),
  reason: z.enum(reasonCodes).nullable(),
  findings: z.array(explained),
})

const change = named.extend({
  kind: z.enum(changedKinds),
  action: z.enum(changeActions),
  /** The fields of the item that changed and that decisions depend on. */
  fields: z.array(z.string()),
  /** Whether it undid an earlier change. */
  isUndo: z.boolean(),
  at: instant(),
  /** Null for users who may not view the audit log. */
  actorName: z.string().nullable(),
  /** The entry in `auditLogs`; null for users who may not view it. */
  entry: z.uuid().nullable(),
})
export type ChangeSince = z.output<typeof change>

/** The most changes that one answer lists. */
export const maxChangesSince = 50

export const whyThen = defineCall({
  id: 'why-then',
  method: 'GET',
  path: '/api/events/{id}/whyThen',
  tag: 'events',
  summary: 'Evaluate a past decision again, with the policy of that time',
  description: [
    'Reads the rules, schedules, groups, holidays, doors, users and credentials as they were from the audit log, makes the decision again with every check, and lists what has changed since.',
    'Items that the requesting user may not see come without id and name.',
  ].join('\n\n'),
  access: 'account',
  abilities: [view('Access Events')],
  params: { id: 'The _id of the event.' },
  output: z
    .object({
      at: instant(),
      /** Null if the decision was evaluated. */
      obstacle: z.enum(whyThenObstacles).nullable(),
      /**
       * Set if the event is older than the audit log: when that begins. Changes before then are not known, so the decision
       * is evaluated with the earliest known state.
       */
      historyFrom: instant().nullable(),
      /** By the policy that the controller had applied. */
      decision: decision.nullable(),
      /** By the policy of the server at that time, if it decided otherwise: the controller was out of sync. */
      serverDecision: decision.nullable(),
      /**
       * The same credential at the same door now, by the current policy and without PIN, second person and approval; null
       * for users who may not see both.
       */
      now: decision.omit({ findings: true }).extend({ at: instant() }).nullable(),
      /** The changes, since the policy of `decision`, of what decisions about this user and door depend on; newest first. */
      changes: z.array(change),
      /** How many more changes there are: of items that the requesting user may not see, or beyond the first 50. */
      moreChanges: z.int(),
    })
    .register(schemaNames, { id: 'WhyThen' }),
  returns: 'The decision at that time and now, and the changes between.',
  errors: ['not_found'],
})
export type WhyThen = z.output<typeof whyThen.output>
