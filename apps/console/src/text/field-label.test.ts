import type { Collection } from '@portcullis/contract/collection'
import { collections } from '@portcullis/contract/collections/registry'
import { expect, test } from 'vitest'
import { fieldLabel } from './field-label.ts'
import { findText } from './text.ts'

test.each(Object.values<Collection>(collections))(
  'each field of $name that users may set has a label',
  (collection) => {
    const { required, optional, fixed } = collection.fields
    const missing = Object.keys({ ...required, ...optional, ...fixed }).filter(
      (field) => findText(`${collection.name}.${field}`) === undefined,
    )
    expect(missing).toEqual([])
  },
)

test('a field without a label is named by the words of its name', () => {
  expect(fieldLabel('units', 'clockOffsetMs')).toBe('Clock offset ms')
  expect(fieldLabel('doors', 'relockAfterSeconds')).toBe('Locks again after')
})
