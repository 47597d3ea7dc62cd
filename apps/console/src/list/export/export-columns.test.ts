import { units } from '@portcullis/contract/collections/units'
import { collections } from '@portcullis/contract/collections/registry'
import type { Collection } from '@portcullis/contract/collection'
import { unwrapped } from '@portcullis/contract/fields'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { exportColumns } from './export-columns.ts'

test('§4 export as seen: the fields behind the columns that are shown, in their order, with their titles and words', () => {
  const shown = [
    { key: 'status', label: 'Status' },
    { key: 'name', label: 'Name', sort: 'name', fields: { name: 'Name', serial: 'Serial' } },
    { key: 'heartbeat', label: 'Last heartbeat', sort: 'lastHeartbeatAt' },
  ]
  expect(exportColumns(units, shown)).toEqual([
    {
      field: 'status',
      title: 'Status',
      words: { never_seen: 'Never seen', online: 'Online', offline: 'Offline' },
    },
    { field: 'name', title: 'Name' },
    { field: 'serial', title: 'Serial' },
    { field: 'lastHeartbeatAt', title: 'Last heartbeat' },
  ])
})

test('a column that has no field of its own is not in the file, and no field is in it twice', () => {
  const shown = [
    { key: 'name', label: 'Name' },
    { key: 'commands', label: 'Commands' },
    { key: 'step', label: 'Step', fields: { name: 'Other', appliedVersion: 'Applied' } },
  ]
  expect(exportColumns(units, shown)).toEqual([
    { field: 'name', title: 'Name' },
    { field: 'appliedVersion', title: 'Applied' },
  ])
})

/** Fields that no list has as a column, and names that are the same in every language. */
const withoutWords = new Set(['accounts.brand', 'events.severity', 'tasks.type', 'tenants.provider'])

test.each(Object.values<Collection>(collections))('each column of $name with a few values has words for them', (of) => {
  const fields = Object.entries<z.core.$ZodType>(of.entitySchema.shape).flatMap(([field, schema]) => {
    const options = z.object({ options: z.array(z.string()) }).safeParse(unwrapped(schema)).data?.options
    return options && !withoutWords.has(`${of.name}.${field}`) ? [{ field, options }] : []
  })
  const columns = exportColumns(
    of,
    fields.map(({ field }) => ({ key: field, label: field })),
  )
  expect(columns.map(({ field, words = {} }) => ({ field, options: Object.keys(words) }))).toEqual(fields)
})
