import { z } from 'zod'
import { defineCall, manage } from '../call.ts'
import { changePreview, previewQuery } from '../change-preview.ts'
import { id } from '../fields.ts'

/** `entry`: in the audit log, by which the change is undone. */
const replacedRule = z.object({ _id: z.uuid(), entry: z.uuid() })

export const replacedSchedule = z.object({
  /** The rules that now have the other schedule. */
  rules: z.array(replacedRule),
  /** The entry of the deletion; null if the schedule was kept. */
  deletion: z.uuid().nullable(),
})

export const replaceSchedule = defineCall({
  id: 'replace-schedule',
  method: 'POST',
  path: '/api/schedules/{id}/replace',
  tag: 'schedules',
  summary: 'Give the access rules of a schedule another one, and delete it',
  description:
    'Changes all rules of the account that use the schedule, and with `delete` deletes it, all or nothing. Each change has its own entry in the audit log. A schedule that rules of other accounts use is not deleted: `schedule_used_elsewhere`. With `preview` nothing is stored.',
  access: 'account',
  abilities: [manage('Schedules'), manage('Access Control')],
  params: { id: 'The _id of the schedule.' },
  query: previewQuery,
  input: z.strictObject({
    /** The schedule that the rules get instead. */
    by: id(),
    delete: z.boolean().default(false),
  }),
  output: z.union([replacedSchedule, changePreview]),
  returns: 'The changed rules, or with `preview` the effects.',
  errors: ['not_found', 'unknown_reference', 'schedule_used_elsewhere'],
})
