import { doors } from '@portcullis/contract/collections/doors'
import { holidays } from '@portcullis/contract/collections/holidays'
import { rules } from '@portcullis/contract/collections/rules'
import { schedules } from '@portcullis/contract/collections/schedules'
import { sites } from '@portcullis/contract/collections/sites'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { holding, itemOf } from '../routes/test-answers.ts'
import { openConsole } from '../routes/test-app.tsx'

const everyDay = [{ days: [1, 2, 3, 4, 5, 6, 7], start: '01:00', end: '05:00' }]
const shifts = itemOf(schedules, { name: 'Shifts', windows: everyDay })
const madrid = itemOf(sites, { name: 'Almacén', timeZone: 'Europe/Madrid', calendars: ['ES'] })
const durban = itemOf(sites, { name: 'Durban', timeZone: 'Africa/Johannesburg', calendars: ['ZA'] })
const on = (date: string) => [{ from: date, until: date, recurring: false }]
const days = [
  itemOf(holidays, { name: 'Good Friday', kind: 'public', dates: on('2027-03-26'), calendar: 'ES' }),
  itemOf(holidays, { name: 'Human Rights Day', kind: 'public', dates: on('2027-03-22'), calendar: 'ZA' }),
]

afterEach(() => vi.useRealTimers())

test('§4 schedules: the next days are those of the first site, with its holidays and clock changes, or of another', async () => {
  vi.useFakeTimers({ now: new Date('2027-03-20T10:00:00Z'), toFake: ['Date'] })
  const { user } = await openConsole(`rules/schedules?open=${shifts._id}`, {
    answers: [
      ({ path, query }) => {
        if (path !== '/api/holidays/above') return undefined
        return { holidays: query.get('site') === madrid._id ? [{ kind: 'public', dates: on('2027-03-24') }] : [] }
      },
      holding(schedules, [shifts]),
      holding(rules, []),
      holding(doors, []),
      holding(sites, [madrid, durban]),
      holding(holidays, days),
    ],
  })
  const preview = within(await screen.findByRole('region', { name: 'The next 14 days' }))
  await waitFor(() => expect(preview.getByText(/23 hours/).textContent).toMatch(/01:00 – 02:00.+03:00 – 05:00/))
  expect(preview.getByText(/Good Friday/).textContent).toMatch(/^Closed/)
  expect(preview.queryByText(/Human Rights Day/)).toBeNull()
  const above = preview.getByText(/Holiday of an account above/)
  expect(above.closest('li')?.textContent).toMatch(/^Wed.*Closed/)
  expect(preview.getByText(/accounts above this one are included/)).toBeTruthy()
  await user.click(preview.getByRole('combobox', { name: 'At the site' }))
  await user.click(await screen.findByRole('option', { name: 'Durban' }))
  expect(await preview.findByText(/Human Rights Day/)).toBeTruthy()
  expect(preview.queryByText(/23 hours/)).toBeNull()
  expect(preview.queryByText(/Good Friday/)).toBeNull()
  expect(preview.queryByText(/account above/)).toBeNull()
})
