import { z } from 'zod'
import { neverAppliesReasons } from '@portcullis/domain/explore/never-applies-reasons'
import { defineCall, schemaNames, view } from '../call.ts'
import { named } from './explorer.ts'

/** The maximum number of findings in an answer. */
export const maxFindings = 500
/** The maximum number of users that an answer names. */
export const maxUsersNamed = 100

export const findingKinds = ['denied', 'never_applies', 'same', 'contained'] as const
export type FindingKind = (typeof findingKinds)[number]

const finding = z.object({
  kind: z
    .enum(findingKinds)
    .describe(
      '`denied`: the other rule denies what this one gives; `never_applies`: it has no effect; `same`: the other rule is equal; `contained`: the other rule gives, or denies, at least as much.',
    ),
  rule: z.object({ _id: z.uuid(), name: z.string() }),
  other: named
    .nullable()
    .describe('Null only if the rule never applies. Its fields are null if the user cannot see it.'),
  reason: z.enum(neverAppliesReasons).nullable().describe('What a rule that never applies lacks.'),
  schedule: named.nullable().describe('The schedule without hours, where that is the reason.'),
  takes: z.enum(['all', 'some']).nullable().describe('How much of the access is denied, within eight weeks.'),
  cardholders: z.int().nullable().describe('How many cardholders both rules name.'),
})
export type ReviewFinding = z.output<typeof finding>

export const reviewRules = defineCall({
  id: 'review-rules',
  method: 'GET',
  path: '/api/rules/review',
  tag: 'rules',
  summary: 'Review access rules',
  description:
    'Rules that never apply, are contained in others, equal others or are denied by others, and users who hold a usable credential but have no access within eight weeks. Disabled rules, PINs and the room of controllers do not count.',
  access: 'account',
  abilities: [view('Access Control'), view('Sites'), view('Users')],
  output: z
    .object({
      findings: z.array(finding),
      /** How many more findings there are. */
      moreFindings: z.int(),
      users: z.object({ total: z.int(), items: z.array(z.object({ _id: z.uuid(), name: z.string() })) }),
      /** Whether everything was examined: very large accounts take too long. */
      isWhole: z.boolean(),
    })
    .register(schemaNames, { id: 'RuleReview' }),
  returns: `At most ${maxFindings} findings, and the first ${maxUsersNamed} users by name. Users without access count in full.`,
  errors: ['too_many'],
})
export type RuleReview = z.output<typeof reviewRules.output>
