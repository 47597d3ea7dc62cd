import { ruleDirections, ruleEffects, whereKinds, whoKinds } from '@portcullis/domain/policy'
import { z } from 'zod'
import { defineCall, schemaNames } from '../call.ts'
import { ids, instant } from '../fields.ts'
import { explorerAbilities, named } from './explorer.ts'

/** The maximum number of users or doors in one request: a page of the list. */
export const maxAccessRows = 50
/** The maximum number of rules that an answer names for each of them. */
export const maxRulesOfRow = 5

const rule = named.extend({
  effect: z.enum(ruleEffects),
  direction: z.enum(ruleDirections),
  adhoc: z.object({ from: instant(), until: instant() }).nullable(),
  /** Null: at all times. */
  schedule: named.nullable(),
  /** Of a user: the user, or the group through which the rule names them. Of a door: the first that the rule names. */
  who: named.extend({ kind: z.enum(whoKinds) }).nullable(),
  /** Of a door: the door, or what contains it and the rule names. Of a user: the first that the rule names. */
  where: named.extend({ kind: z.enum(whereKinds) }).nullable(),
  /** How many more users and groups, of a door, or places, of a user, the rule names. */
  more: z.int(),
})
export type RuleOfRow = z.output<typeof rule>

const row = z.object({
  /** The user or the door. */
  _id: z.uuid(),
  rules: z.array(rule),
  moreRules: z.int(),
  /** Of a user: the doors that they can open at that time. Of a door: the users who can open it. Null if there are too many to count. */
  openNow: z.int().nullable(),
})
export type AccessRow = z.output<typeof row>

const output = z.object({ at: instant(), items: z.array(row) }).register(schemaNames, { id: 'AccessView' })
const at = instant().optional().describe('The time in question; now if it is missing.')
const returns = `For each of them at most ${maxRulesOfRow} rules, those that allow first. Ids that the user cannot see are left out.`

export const accessOfUsers = defineCall({
  id: 'access-of-users',
  method: 'GET',
  path: '/api/rules/byUser',
  tag: 'rules',
  summary: 'Read the rules that name users',
  description:
    'The enabled rules that name each of these users, directly or through a group, and how many doors the user can open. Rules of accounts above are shown without names.',
  access: 'account',
  abilities: explorerAbilities,
  query: z.strictObject({
    users: ids({ most: maxAccessRows }).describe('The ids of users, with commas between them.'),
    at,
  }),
  output,
  returns,
  errors: ['too_many'],
})

export const accessOfDoors = defineCall({
  id: 'access-of-doors',
  method: 'GET',
  path: '/api/rules/byDoor',
  tag: 'rules',
  summary: 'Read the rules that apply at doors',
  description:
    'The enabled rules that name each of these doors, directly or by what contains it, and how many users can open it. Rules of accounts above are shown without names.',
  access: 'account',
  abilities: explorerAbilities,
  query: z.strictObject({
    doors: ids({ most: maxAccessRows }).describe('The ids of doors, with commas between them.'),
    at,
  }),
  output,
  returns,
  errors: ['too_many'],
})
