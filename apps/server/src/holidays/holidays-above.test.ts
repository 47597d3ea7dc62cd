import { holidaysAbove } from '@portcullis/contract/calls/holidays-above'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, expect, test } from 'vitest'
import { makeItem, type Written } from '../collections/test-items.ts'
import { startTestServer } from '../test-server.ts'

const server = await startTestServer()
afterAll(server.stop)
const { ask } = server

const make = async (collection: Written, fields: object, at = ask) =>
  (await makeItem({ ask: at, collection, fields: { ...fields } }))._id

await make('accounts', { ref: 'branch' })
await make('accounts', { ref: 'sibling' })
const below = server.in('branch')
const site = await make('sites', { calendars: ['ZA'] }, below)
const siteAbove = await make('sites', { calendars: ['ZA'] })

const on = (date: string, recurring = false) => ({ from: date, until: date, recurring })
const [past, coming] = [on('2020-01-01'), on('2090-05-01')]
await make('holidays', { name: 'Everywhere', kind: 'company', dates: [past, coming], calendar: null })
await make('holidays', { name: 'Of the calendar', kind: 'public', dates: [on('2020-06-16', true)], calendar: 'ZA' })
await make('holidays', { name: 'Of another calendar', kind: 'public', dates: [on('2090-07-04')], calendar: 'US' })
await make('holidays', { name: 'Over', kind: 'public', dates: [past], calendar: null })
await make('holidays', { name: 'Own', kind: 'public', dates: [on('2090-08-01')] }, below)
await make('holidays', { name: 'Of a sibling', kind: 'public', dates: [on('2090-09-01')] }, server.in('sibling'))

async function above(query = '', as = below) {
  const { status, json } = await as('GET', `/api/holidays/above${query}`)
  expect(status).toBe(200)
  return holidaysAbove.output.parse(json).holidays
}

const everywhere = { kind: 'company', dates: [coming] }
const ofCalendar = { kind: 'public', dates: [on('2020-06-16', true)] }

test('a site has the coming holidays of accounts above that it follows, without their names', async () => {
  expect(await above(`?site=${site}`)).toEqual([everywhere, ofCalendar])
})

test('without a site, all of them are listed, and the highest account has none', async () => {
  expect(await above()).toEqual([everywhere, ofCalendar, { kind: 'public', dates: [on('2090-07-04')] }])
  expect(await above('', ask)).toEqual([])
})

test('a site of another account is not found, like an absent one', async () => {
  for (const id of [siteAbove, uuidv7()])
    expect((await below('GET', `/api/holidays/above?site=${id}`)).error.code).toBe('not_found')
})
