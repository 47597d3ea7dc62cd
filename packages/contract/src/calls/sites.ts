import { z } from 'zod'
import { defineCall, manage, schemaNames, view } from '../call.ts'
import { exportRequest, exportTypes } from '../export-request.ts'
import { maxMovedTogether, movedItems } from '../moved-items.ts'

export const exportDoorsOfSites = defineCall({
  id: 'export-doors-of-sites',
  method: 'POST',
  path: '/api/sites/doors/export',
  tag: 'sites',
  summary: 'Export the doors of sites',
  description:
    'All doors of the sites that the filter and the search find, as a file. The columns and the sort order are fields of doors, and `groups`: the door groups of the account of the door.',
  access: 'account',
  abilities: [view('Sites')],
  readsAllAccounts: true,
  input: exportRequest,
  download: exportTypes,
  returns: 'The file, streamed.',
  errors: ['too_many'],
})

export const moveSite = defineCall({
  id: 'move-site',
  method: 'POST',
  path: '/api/sites/moveSite',
  tag: 'sites',
  summary: 'Move a site to another account',
  description: `Its doors, controllers and interlocks move along, at most ${maxMovedTogether} doors and controllers. They leave the groups, rules and lockdown plans that do not apply in the new account. Events and the audit log stay where they were made. Needs the right to manage Sites and Controllers in both accounts, which belong to one account tree, and Access Control in the old one, whose rules end. Refused while a lockdown of one of the doors is active. With \`preview\` nothing changes.`,
  access: 'account',
  abilities: [manage('Controllers'), manage('Sites'), manage('Access Control')],
  query: z.strictObject({
    preview: z.enum(['true']).optional().describe('Returns what would move and whose access would change.'),
  }),
  input: z.strictObject({ siteId: z.uuid(), accountId: z.uuid() }),
  output: movedItems,
  isRecorded: true,
  returns: 'What moves with the site, and whose access changes.',
  errors: [
    'not_found',
    'unknown_reference',
    'site_tied_elsewhere',
    'site_shares_unit',
    'units_tied_elsewhere',
    'units_share_interlock',
    'door_in_lockdown',
    'move_too_large',
    'taken',
  ],
})

/** The maximum number of sites in one request: a page of the list. */
export const maxSiteStates = 100

/** The maximum number of ids that one figure of a site names. */
export const maxIdsOfFigure = 50

const doorFigures = ['unknown', 'forced', 'held', 'lockedDown', 'blocked', 'unlocked', 'waiting', 'disabled'] as const
const unitFigures = ['notOnline', 'outOfSync', 'tampered'] as const

const siteState = z.object({
  _id: z.uuid(),
  /** Enabled doors, except for the number of disabled ones. */
  doors: z.object({
    total: z.int(),
    /** The controller is not online, or has not reported the door. Alarms that it reported before still count. */
    unknown: z.int(),
    forced: z.int(),
    held: z.int(),
    /** Modes that the controller has confirmed, while it is online; also unlocked by a schedule, while it is in sync. */
    lockedDown: z.int(),
    blocked: z.int(),
    unlocked: z.int(),
    /** The controller has not confirmed the desired mode, or that a schedule unlocks the door. */
    waiting: z.int(),
    disabled: z.int(),
  }),
  /** The doors that each figure counts; left out if there are none, or more than the maximum. */
  doorIds: z.partialRecord(z.enum(doorFigures), z.array(z.uuid())),
  /** Enabled controllers at the site or at its doors; null for users who may not see controllers. */
  units: z.object({ total: z.int(), notOnline: z.int(), outOfSync: z.int(), tampered: z.int() }).nullable(),
  unitIds: z.partialRecord(z.enum(unitFigures), z.array(z.uuid())).nullable(),
  /**
   * Users whose last known passage leads into an anti-passback area of doors of the site; null if no area with an exit reader is
   * in scope.
   */
  inside: z.int().nullable(),
})
export type SiteState = z.output<typeof siteState>

const uuid = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'

export const siteStates = defineCall({
  id: 'site-states',
  method: 'GET',
  path: '/api/sites/states',
  tag: 'sites',
  summary: 'Read the current state of sites',
  description: `The doors and controllers of at most ${maxSiteStates} sites, counted by state, and the users inside. Returns nothing for missing and out-of-scope sites.`,
  access: 'account',
  abilities: [view('Sites')],
  query: z.strictObject({
    ids: z
      .string()
      .regex(new RegExp(`^${uuid}(?:,${uuid}){0,${maxSiteStates - 1}}$`))
      .describe('The _ids of the sites, separated by commas.'),
  }),
  output: z.object({ sites: z.array(siteState) }).register(schemaNames, { id: 'SiteStates' }),
  returns: 'The state of each site in scope.',
})
