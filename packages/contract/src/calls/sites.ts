import { z } from 'zod'
import { defineCall, manage, view } from '../call.ts'
import { exportRequest, exportTypes } from '../export-request.ts'
import { movedItems } from './move-units.ts'

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
  description:
    'Its doors, controllers and interlocks move along. They leave the groups and rules that do not apply in the new account. Events and the audit log stay where they were made. Needs the right to manage Sites and Controllers in both accounts, which belong to one account tree, and Access Control in the old one, whose rules end. With `preview` nothing changes.',
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
    'taken',
  ],
})
