import { z } from 'zod'
import { defineCall, manage } from '../call.ts'
import { changePreview, previewQuery } from '../change-preview.ts'
import { rules } from '../collections/rules.ts'
import { errorBody } from '../errors/error-body.ts'
import { id } from '../fields.ts'

/** The maximum number of rules that one request saves, and deletes: meanwhile other changes of the account tree wait. */
export const maxBatchRows = 1_000

const { adhoc, schedule, direction } = rules.fields.optional

const row = z.object({
  /** Null if the row was refused. */
  _id: z.uuid().nullable(),
  /** The entry in the audit log, by which the change is undone. */
  entry: z.uuid().nullable(),
  error: errorBody.shape.error.omit({ requestId: true }).nullable(),
})

/** The results in the order of the request. `saved` and `deleted` say what became of each row. */
export const batchResult = z.object({ deleted: z.array(row), saved: z.array(row) })
export type BatchRow = z.output<typeof row>

export const batchRules = defineCall({
  id: 'batch-rules',
  method: 'POST',
  path: '/api/rules/batchUpdate',
  tag: 'rules',
  summary: 'Save and delete many access rules at once',
  description:
    'First saves, then deletes. Each entry of `save` with an `_id` changes the named fields of that rule, and with its `version` only if no other user has changed it; one without an `_id` creates a rule. `adhoc` and `scheduleOptions` apply to each of these that does not name the same field itself. Unless `rowByRow` is true, either all rows are stored or none: `rows_refused` then names the first problems, each with its row and field, such as `save.3.where`. With `preview` nothing is stored, and a refused row refuses all.',
  access: 'account',
  abilities: [manage('Access Control')],
  query: previewQuery,
  input: z.strictObject({
    /** With the `version`, only if no other user has changed the rule since. */
    delete: z
      .array(z.union([id(), z.strictObject({ _id: id(), version: z.int().optional() })]))
      .max(maxBatchRows)
      .default([]),
    /** As for `POST /api/rules`, or as for `PATCH /api/rules/{id}` with the `_id`. */
    save: z
      .array(z.looseObject({ _id: id().optional() }))
      .max(maxBatchRows)
      .default([]),
    adhoc: adhoc.unwrap().optional(),
    scheduleOptions: z
      .strictObject({ schedule: schedule.unwrap().optional(), direction: direction.unwrap().optional() })
      .default({}),
    rowByRow: z.boolean().default(false),
  }),
  output: z.union([batchResult, changePreview]),
  returns: 'The result of each row, or with `preview` the effects of all of them together.',
  errors: ['rows_refused'],
})
