import { importHolidays } from '@portcullis/contract/calls/import-holidays'
import { holidays } from '@portcullis/contract/collections/holidays'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { holding } from '../routes/test-answers.ts'
import { openConsole } from '../routes/test-app.tsx'

const dates = [{ from: '2026-04-03', until: '2026-04-03', recurring: false }]
const friday = { type: 'public', holiday: { name: 'Good Friday', kind: 'public', dates } }
const sunday = { type: 'observance', holiday: { name: 'Easter Sunday', kind: 'special', dates } }
const row = { state: 'new', reason: null, added: dates, removed: [], kindBefore: null, _id: null, entry: null }

test('the public holidays of a country are selected, others on request, and are stored in its calendar', async () => {
  const { user, sent } = await openConsole('rules/holidays', {
    answers: [
      ({ path, query }) =>
        path === '/api/holidays/national'
          ? {
              countries: [{ code: 'ZA', name: 'South Africa' }],
              regions: [],
              holidays: query.get('country') === 'ZA' ? [friday, sunday] : [],
            }
          : undefined,
      ({ path }) =>
        path === importHolidays.path ? { rows: [{ ...row, name: 'Good Friday', holiday: friday.holiday }] } : undefined,
      holding(holidays, []),
    ],
  })
  await user.click(await screen.findByRole('button', { name: 'National holidays…' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'National holidays' }))
  await user.click(dialog.getByRole('combobox', { name: 'Country' }))
  await user.click(await screen.findByRole('option', { name: 'South Africa' }))
  expect(await dialog.findByRole('checkbox', { name: 'Good Friday' })).toHaveProperty('checked', true)
  expect(dialog.getByRole('checkbox', { name: 'Easter Sunday' })).toHaveProperty('checked', false)
  const button = await dialog.findByRole('button', { name: 'Import 1 holiday' })
  await waitFor(() => expect(button).toHaveProperty('disabled', false))
  await user.click(button)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent('POST', importHolidays.path).at(-1)?.body).toEqual({
    holidays: [friday.holiday],
    calendar: 'ZA',
    replaceDates: false,
  })
})
