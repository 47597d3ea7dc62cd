import { defineCall, view } from '../call.ts'
import { exportRequest, exportTypes } from '../export-request.ts'

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
