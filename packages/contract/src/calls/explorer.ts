import { changeCodes } from '@portcullis/domain/explore/changes-to-open'
import {
  credentialKinds,
  credentialStatuses,
  directions,
  ruleDirections,
  ruleEffects,
  whereKinds,
  whoKinds,
} from '@portcullis/domain/policy'
import { reasonCodes, verdicts } from '@portcullis/domain/decision/reasons'
import { z } from 'zod'
import { defineCall, schemaNames, view } from '../call.ts'
import { finding } from '../collections/events.ts'
import { scheduleWindow } from '../collections/schedules.ts'
import { id, instant } from '../fields.ts'
import { fromDigits, pageInfo, pageSize } from '../list-query.ts'
import { timeZone } from '../names.ts'
import { exportFormats, exportTypes } from '../export-request.ts'
import { fieldCode } from '../errors/field-codes.ts'

// Questions to the policy: who can open this door, what can this person open, would it open then. They are answered by the
// decision that controllers make, from the policy in force; PINs and approvals are told as what the door would still ask for.

/** Something that an answer tells of; both are null where it is of an account above, or not for the asker to see. */
const named = z.object({ _id: z.uuid().nullable(), name: z.string().nullable() })
export type Named = z.output<typeof named>

/** Whether the door opens to somebody at the moment asked for, in whichever direction; later within eight weeks; or not within them. */
export const openingStates = ['now', 'later', 'never'] as const
export type OpeningState = (typeof openingStates)[number]

/** `sometime` is now or later: who can open the door; `all` are those too whom a rule names and something else keeps out. */
export const accessStates = [...openingStates, 'sometime', 'all'] as const

const accessQuery = z.strictObject({
  search: z.string().max(200).optional().describe('Part of a name.'),
  can: z
    .enum(accessStates)
    .optional()
    .describe('`sometime` (the default): access within eight weeks; `all`: also where something else prevents it.'),
  at: instant().optional().describe('The time in question; now if it is missing.'),
  page: fromDigits(z.int().min(0).max(1_000_000).optional()).describe('The page, from 0.'),
  size: fromDigits(z.int().min(1).max(pageSize.most).optional()).describe('The number of items on a page.'),
})
export type AccessQuery = Omit<z.input<typeof accessQuery>, 'page' | 'size'> & { page?: number; size?: number }

/** All rows of such a list as a file, hours in words, moments as the clocks of the zone show them. */
const accessExport = accessQuery
  .pick({ search: true, can: true, at: true })
  .extend({ format: z.enum(exportFormats), timeZone: timeZone().optional() })
  .register(schemaNames, { id: 'AccessExport' })
export type AccessExport = z.input<typeof accessExport>

/** A rule that names a person and a door, and through what it does. */
const accessRule = named.extend({
  effect: z.enum(ruleEffects),
  direction: z.enum(ruleDirections),
  adhoc: z.object({ from: instant(), until: instant() }).nullable(),
  /** null: at all times. Without windows the schedule is no longer there, and the rule gives nothing. */
  schedule: named.extend({ windows: z.array(scheduleWindow).nullable() }).nullable(),
  who: named.extend({ kind: z.enum(whoKinds) }),
  where: named.extend({ kind: z.enum(whereKinds) }),
})
export type AccessRule = z.output<typeof accessRule>

const access = z.object({
  /** Of whom or what the row tells: the person at a door, the door of a person. */
  _id: z.uuid(),
  state: z.enum(openingStates),
  /** What the best of the person's credentials would get at that moment, and why not more. */
  verdict: z.enum(verdicts),
  reason: z.enum(reasonCodes).nullable(),
  /** How many credentials the person could present there. */
  credentials: z.int(),
  /**
   * For each direction in which the door has a reader, the next stretch of time in which it would open: null where there is
   * none, without an end where that lies beyond eight weeks.
   */
  opens: z.array(
    z.object({
      direction: z.enum(directions),
      span: z.object({ from: instant(), until: instant().nullable() }).nullable(),
    }),
  ),
  rules: z.array(accessRule),
})

const door = z.object({
  _id: z.uuid(),
  name: z.string(),
  account: z.uuid(),
  site: named.extend({ timeZone: z.string().nullable() }),
  /** The directions in which something can be presented there. */
  readers: z.array(z.enum(directions)),
})
/** As one of the accounts that the asker reads knows them; the current one where it does. */
const person = z.object({ _id: z.uuid(), name: z.string(), account: z.uuid() })

function accessList<S extends z.ZodRawShape>(shape: S) {
  return z.object({
    at: instant(),
    items: z.array(access.extend(shape)),
    page: pageInfo,
    /** How many there are in each state, before search. */
    counts: z.object({ now: z.int(), later: z.int(), never: z.int() }),
    /** How many of those who can are of accounts that the asker does not see: they are not in the list. */
    hidden: z.int(),
  })
}

const abilities = [view('Access Control'), view('Sites'), view('Users')] as const
const doorParam = { id: 'The _id of the door.' } as const
const userParam = { id: 'The _id of the user.' } as const

export const doorAccess = defineCall({
  id: 'door-access',
  method: 'GET',
  path: '/api/doors/{id}/access',
  tag: 'doors',
  summary: 'List the users who can open a door',
  description:
    'Users by name, with the rules and the next period of access. Rules of accounts above apply too, and are shown without names.',
  access: 'account',
  abilities,
  params: doorParam,
  query: accessQuery,
  output: accessList({ user: person }).extend({ door }).register(schemaNames, { id: 'DoorAccess' }),
  returns: 'A page of users.',
  errors: ['not_found'],
})
export type DoorAccess = z.output<typeof doorAccess.output>

export const exportDoorAccess = defineCall({
  id: 'export-door-access',
  method: 'POST',
  path: '/api/doors/{id}/access/export',
  tag: 'doors',
  summary: 'Export the users who can open a door',
  access: 'account',
  abilities,
  readsAllAccounts: true,
  params: doorParam,
  input: accessExport,
  download: exportTypes,
  returns: 'The file, streamed.',
  errors: ['not_found'],
})

export const userAccess = defineCall({
  id: 'user-access',
  method: 'GET',
  path: '/api/users/{id}/access',
  tag: 'users',
  summary: 'List the doors that a user can open',
  description: 'Doors by name, with the rules and the next period of access.',
  access: 'account',
  abilities,
  params: userParam,
  query: accessQuery,
  output: accessList({ door }).extend({ user: person }).register(schemaNames, { id: 'UserAccess' }),
  returns: 'A page of doors.',
  errors: ['not_found'],
})
export type UserAccess = z.output<typeof userAccess.output>

export const exportUserAccess = defineCall({
  id: 'export-user-access',
  method: 'POST',
  path: '/api/users/{id}/access/export',
  tag: 'users',
  summary: 'Export the doors that a user can open',
  access: 'account',
  abilities,
  readsAllAccounts: true,
  params: userParam,
  input: accessExport,
  download: exportTypes,
  returns: 'The file, streamed.',
  errors: ['not_found'],
})

const thing = named.extend({
  kind: z.enum(['door', 'unit', 'credential', 'user', 'rule', 'schedule', 'holiday']),
})

/** By code and facts: the reader words it. */
const explained = finding.extend({
  /** The things that the check looked at. */
  things: z.array(thing),
  /** What would have to change for the check to pass; null where it does. */
  change: z.object({ code: z.enum(changeCodes), of: thing.nullable() }).nullable(),
})
export type ExplainedFinding = z.output<typeof explained>

const shownCredential = z.object({
  _id: z.uuid().nullable(),
  kind: z.enum(credentialKinds),
  /** null where it is not the asker's to see. */
  number: z.string().nullable(),
  status: z.enum(credentialStatuses),
})

/** The clock on the wall of the door's site, to the minute or the second. */
const siteTime = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/)

const question = z
  .strictObject({
    door: id(),
    /** A person with whatever they hold, one of their credentials, or a number as a reader would read it. */
    user: id().optional(),
    credential: id().optional(),
    number: z.string().trim().min(1).max(64).optional(),
    /** A moment in UTC, or the time on the clock at the site, such as `2026-11-20T18:00`. Absent: now. */
    at: z
      .union([instant(), siteTime], {
        error: fieldCode('invalid_site_moment'),
      })
      .optional(),
    direction: z.enum(directions).default('entry'),
  })
  .refine(
    ({ user, credential, number }) => [user, credential, number].filter((asked) => asked !== undefined).length === 1,
    { error: fieldCode('one_presented'), path: ['user'] },
  )
  .register(schemaNames, { id: 'AccessQuestion' })

export const decideAccess = defineCall({
  id: 'decide-access',
  method: 'POST',
  path: '/api/explorer/decide',
  tag: 'explorer',
  summary: 'Ask whether a door would open at a given time',
  description: 'Runs the decision that controllers make with the current policy. It changes nothing.',
  access: 'account',
  abilities,
  readsAllAccounts: true,
  input: question,
  output: z
    .object({
      at: instant(),
      /** The same on the clock at the site. */
      siteTime: z.string(),
      door,
      unit: named.nullable(),
      direction: z.enum(directions),
      /** null where nothing known was presented. */
      person: named.nullable(),
      credential: shownCredential.nullable(),
      number: z.string().nullable(),
      verdict: z.enum(verdicts),
      reason: z.enum(reasonCodes).nullable(),
      findings: z.array(explained),
      /** What else the person holds, and what it would get. */
      others: z.array(
        z.object({ credential: shownCredential, verdict: z.enum(verdicts), reason: z.enum(reasonCodes).nullable() }),
      ),
      /** Seven days from that of the question on, as the site has them, and when the door would let the person pass. */
      days: z.array(
        z.object({
          date: z.iso.date(),
          from: instant(),
          until: instant(),
          open: z.array(z.object({ from: instant(), until: instant() })),
          holidays: z.array(named),
        }),
      ),
    })
    .register(schemaNames, { id: 'AccessDecision' }),
  returns: 'The verdict, every check with what would have to change, and the next seven days.',
  errors: ['not_found'],
})
export type DecideAccess = z.output<typeof decideAccess.output>
export type AccessQuestion = z.input<typeof decideAccess.input>
