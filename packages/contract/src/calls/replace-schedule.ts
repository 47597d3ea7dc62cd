import { z } from 'zod'
import { defineCall, manage } from '../call.ts'
import { changePreview, previewQuery } from '../change-preview.ts'
import { id } from '../fields.ts'

/** `entry`: in the audit log, by which the change is undone. */
const replacedUse = z.object({ _id: z.uuid(), entry: z.uuid() })

export const replacedSchedule = z.object({
  /** The rules that now have the other schedule. */
  rules: z.array(replacedUse),
  /** The doors that now stand unlocked by the other schedule. */
  doors: z.array(replacedUse),
  /** The entry of the deletion; null if the schedule was kept. */
  deletion: z.uuid().nullable(),
})

export const replaceSchedule = defineCall({
  id: 'replace-schedule',
  method: 'POST',
  path: '/api/schedules/{id}/replace',
  tag: 'schedules',
  summary: 'Give the access rules and doors of a schedule another one, and delete it',
  description:
    'Changes all rules of the account that use the schedule, and all doors whose unlock schedule it is, and with `delete` deletes it, all or nothing. Each change has its own entry in the audit log. A schedule that rules or doors of other accounts use is not deleted: `schedule_used_elsewhere`. With `preview` nothing is stored.',
  access: 'account',
  abilities: [manage('Schedules'), manage('Access Control')],
  params: { id: 'The _id of the schedule.' },
  query: previewQuery,
  input: z.strictObject({
    /** The schedule that they get instead. */
    by: id(),
    delete: z.boolean().default(false),
  }),
  output: z.union([replacedSchedule, changePreview]),
  returns: 'The changed rules and doors, or with `preview` the effects.',
  errors: ['not_found', 'unknown_reference', 'schedule_used_elsewhere'],
})
