import { nationalHolidays } from '@portcullis/contract/calls/national-holidays'
import { afterAll, expect, test } from 'vitest'
import { startTestServer } from '../test-server.ts'
import { readNational } from './national-holidays.ts'

const server = await startTestServer()
afterAll(server.stop)

async function read(query: string) {
  const { json } = await server.ask('GET', `/api/holidays/national?${query}`)
  return nationalHolidays.output.parse(json)
}

test('the countries are listed in the language of the user', async () => {
  const { countries, regions, holidays } = await read('language=es')
  expect(countries.find(({ code }) => code === 'ES')?.name).toBe('España')
  expect(countries.length).toBeGreaterThan(150)
  expect([regions, holidays]).toEqual([[], []])
})

test('the national holidays of a country are listed once each, with their dates in all years', async () => {
  const { holidays } = await read('country=ZA&from=2026&until=2027')
  const named = new Map(holidays.map((each) => [each.holiday.name, each]))
  const on = (date: string) => ({ from: date, until: date, recurring: false })
  expect(named.get('Good Friday')).toEqual({
    type: 'public',
    holiday: { name: 'Good Friday', kind: 'public', dates: [on('2026-04-03'), on('2027-03-26')] },
  })
  expect(named.get('Easter Sunday')).toMatchObject({ type: 'observance', holiday: { kind: 'special' } })
  expect(named.size).toBe(holidays.length)
})

test('a region has holidays of its own', async () => {
  const madrid = await read('country=ES&region=MD&from=2026&language=es')
  expect(madrid.regions).toContainEqual({ code: 'MD', name: 'Comunidad de Madrid' })
  const names = ({ holidays }: typeof madrid) => holidays.map(({ holiday }) => holiday.name)
  expect(names(madrid)).toContain('Día de la Comunidad de Madrid')
  expect(names(await read('country=ES&from=2026&language=es'))).not.toContain('Día de la Comunidad de Madrid')
})

test('holidays of several days and of lunar calendars have their civil days, and half days are left out', async () => {
  const { holidays } = await read('country=IL&from=2026')
  const pesach = holidays.find(({ holiday }) => holiday.name === 'Passover (Pesach)')
  expect(pesach?.holiday.dates).toEqual([{ from: '2026-04-02', until: '2026-04-02', recurring: false }])
  const purim = holidays.find(({ holiday }) => holiday.name === 'Purim')
  expect(purim?.holiday.dates).toEqual([{ from: '2026-03-03', until: '2026-03-04', recurring: false }])
  const german = await read('country=DE&from=2026')
  expect(german.holidays.map(({ holiday }) => holiday.name)).not.toContain('Christmas Eve')
})

test('too many years are refused, and an unknown country has no holidays', async () => {
  const { status, error } = await server.ask('GET', '/api/holidays/national?country=ZA&from=2026&until=2036')
  expect([status, Object.keys(error.fields)]).toEqual([400, ['until']])
  expect((await read('country=XX')).holidays).toEqual([])
})

test('the selected holidays are stored by an import, and are unchanged afterwards', async () => {
  const { holidays } = await read('country=GB&from=2026&until=2028')
  const selected = holidays.filter(({ type }) => type === 'public').map(({ holiday }) => holiday)
  const first = await server.client.holidays.import({ holidays: selected, calendar: 'UK' })
  expect(new Set(first.rows.map(({ state }) => state))).toEqual(new Set(['new']))
  const again = await server.client.holidays.import({ holidays: selected, calendar: 'UK', dryRun: true })
  expect(new Set(again.rows.map(({ state }) => state))).toEqual(new Set(['unchanged']))
})

test('each year is computed in a step of its own, and only once', async () => {
  let steps = 0
  const step = async <T>(work: () => T) => {
    steps += 1
    return work()
  }
  const query = { country: 'NZ', language: 'en' as const, from: 2031, until: 2034 }
  const first = await readNational(query, { step, thisYear: 2026 })
  expect(steps).toBe(5)
  expect(await readNational(query, { step, thisYear: 2026 })).toEqual(first)
  expect(steps).toBe(6)
})

test('years of an aborted request are not computed', async () => {
  const step = async <T>(work: () => T) => work()
  const query = { country: 'NZ', language: 'en' as const, from: 2041 }
  const reading = readNational(query, { step, thisYear: 2026, signal: AbortSignal.abort(new Error('gone')) })
  await expect(reading).rejects.toThrow('gone')
})
