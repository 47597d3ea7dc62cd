import { units } from '@portcullis/contract/collections/units'
import { expect, test } from 'vitest'
import { exportColumns } from './export-columns.ts'

test('§4 export as seen: the fields behind the columns that are shown, in their order, under their words', () => {
  const shown = [
    { key: 'status', label: 'Status' },
    { key: 'name', label: 'Name', sort: 'name', fields: { name: 'Name', serial: 'Serial' } },
    { key: 'heartbeat', label: 'Last heartbeat', sort: 'lastHeartbeatAt' },
  ]
  expect(exportColumns(units, shown)).toEqual([
    { field: 'status', title: 'Status' },
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
