import type { Collection } from '@portcullis/contract/collection'
import { collections } from '@portcullis/contract/collections/registry'
import { expect, test } from 'vitest'
import { fieldLabel } from './field-label.ts'
import { findText } from './text.ts'

/** Only the server writes them, so they do not appear in the audit log, which labels fields by itself. */
const withoutHistory = new Set(['auditLogs', 'events'])
/** The audit log leaves these out. */
const leftOut = new Set(['tasks.type', 'tasks.data', 'tasks.user', 'tasks.door', 'tasks.decidedBy'])

test.each(Object.values<Collection>(collections))(
  'each field of $name that a form or the audit log shows has a label',
  (collection) => {
    const { required, optional, fixed, server } = collection.fields
    const shown = withoutHistory.has(collection.name) ? {} : server
    const missing = Object.keys({ ...required, ...optional, ...fixed, ...shown }).filter(
      (field) => !leftOut.has(`${collection.name}.${field}`) && findText(`${collection.name}.${field}`) === undefined,
    )
    expect(missing).toEqual([])
  },
)

test('a field without a label is shown by the words of its name', () => {
  expect(fieldLabel('units', 'clockOffsetMs')).toBe('Clock offset ms')
  expect(fieldLabel('doors', 'relockAfterSeconds')).toBe('Relock after')
})
