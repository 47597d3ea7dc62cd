import { z } from 'zod'
import { defineCall, manage } from '../call.ts'
import { movedItems } from '../moved-items.ts'

/** The maximum number of controllers that move together. */
export const maxMovedItems = 200

export const moveUnits = defineCall({
  id: 'move-units',
  method: 'POST',
  path: '/api/units/moveUnits',
  tag: 'units',
  summary: 'Move controllers to another account',
  description:
    'Their doors and interlocks move along, and so do sites of which nothing stays behind; a site that keeps other doors or controllers is copied. Doors and sites leave the groups, rules and lockdown plans that do not apply in the new account. Events and the audit log stay where they were made. Needs the right to manage Controllers and Sites in both accounts, which belong to one account tree, and Access Control in the old one, whose rules end. Refused while a lockdown of one of the doors is active. With `dryRun` nothing changes.',
  access: 'account',
  abilities: [manage('Controllers'), manage('Sites'), manage('Access Control')],
  input: z.strictObject({
    unitIds: z.array(z.uuid()).min(1).max(maxMovedItems),
    toAccount: z.uuid(),
    dryRun: z.boolean().default(false),
  }),
  output: movedItems,
  isRecorded: true,
  returns: 'What moves with the controllers, and whose access changes.',
  errors: [
    'not_found',
    'unknown_reference',
    'units_tied_elsewhere',
    'units_share_interlock',
    'door_in_lockdown',
    'move_too_large',
    'taken',
  ],
})
