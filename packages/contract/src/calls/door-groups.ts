import { z } from 'zod'
import { defineCall, manage } from '../call.ts'
import { doorGroups } from '../collections/door-groups.ts'
import { id } from '../fields.ts'

/** Forgives one user, or all users with null. */
export const forgiveRequest = z.strictObject({ user: id().nullable() })

export const forgive = defineCall({
  id: 'door-group-forgive',
  method: 'POST',
  path: '/api/doorGroups/{id}/forgive',
  tag: 'doorGroups',
  summary: 'Let users who are inside or outside an anti-passback area pass once more',
  description:
    'The controllers of the area forget where the user, or every user, passed last. It takes effect with their next configuration.',
  access: 'account',
  abilities: [manage('Access Control')],
  params: { id: 'The _id of the door group.' },
  input: forgiveRequest,
  output: doorGroups.entitySchema,
  isRecorded: true,
  returns: 'The door group.',
  errors: ['not_found', 'no_antipassback', 'unknown_reference', 'conflict'],
})
