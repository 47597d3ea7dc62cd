import { whereKinds } from '@portcullis/domain/policy'
import { z } from 'zod'
import { defineCall, schemaNames, view } from '../call.ts'
import { rules } from '../collections/rules.ts'
import { ids } from '../fields.ts'

/** The maximum number of user groups, and of places, that one request compares. */
export const maxMatrixSide = 50
/** The maximum number of rules in an answer. */
export const maxMatrixRules = 500

const sideIds = ids({ most: maxMatrixSide })

export const accessMatrix = defineCall({
  id: 'access-matrix',
  method: 'GET',
  path: '/api/rules/matrix',
  tag: 'rules',
  summary: 'Compare user groups with places',
  description:
    'The rules of the account that name any of these user groups and any of these places, or a group or site that contains the place.',
  access: 'account',
  abilities: [view('Access Control'), view('Users'), view('Sites')],
  query: z.strictObject({
    groups: sideIds.describe('The ids of user groups, with commas between them.'),
    places: sideIds.describe('The ids of doors, sites or groups of them, with commas between them.'),
  }),
  output: z
    .object({
      rules: z.array(rules.entitySchema),
      /** Whether these are all of the rules. */
      isWhole: z.boolean(),
      /** What contains a place: the groups and the site of a door, the groups of a site. */
      containers: z.array(z.object({ place: z.uuid(), kind: z.enum(whereKinds), _id: z.uuid(), name: z.string() })),
    })
    .register(schemaNames, { id: 'AccessMatrix' }),
  returns: `At most ${maxMatrixRules} rules, by name, and fewer where they name many users and doors. Ids that the user cannot see match nothing.`,
})
export type AccessMatrix = z.output<typeof accessMatrix.output>
