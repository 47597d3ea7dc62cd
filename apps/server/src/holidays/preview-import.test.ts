import { changePreview } from '@portcullis/contract/change-preview'
import { decideAccess } from '@portcullis/contract/calls/explorer'
import { importedHolidays } from '@portcullis/contract/calls/import-holidays'
import { afterAll, expect, test } from 'vitest'
import { makeItem } from '../collections/test-items.ts'
import { startTestServer } from '../test-server.ts'

const server = await startTestServer()
afterAll(server.stop)
const { ask } = server

const make = async (collection: Parameters<typeof makeItem>[0]['collection'], fields: object = {}) =>
  (await makeItem({ ask, collection, fields: { ...fields } }))._id

const site = await make('sites', { timeZone: 'UTC', calendars: ['ZA'] })
const unit = await make('units')
const door = await make('doors', { site, unit, unitDoor: 1 })
const user = await make('users')
await make('credentials', { kind: 'card', number: 'H-1', user })
const schedule = await make('schedules', {
  windows: [{ days: [1, 2, 3, 4, 5, 6, 7], start: '08:00', end: '12:00' }],
  holidayHours: { public: 'closed', company: 'closed', special: 'asUsual' },
})
await make('rules', {
  effect: 'allow',
  who: [{ kind: 'User', id: user }],
  where: [{ kind: 'Door', id: door }],
  schedule,
})

const day = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10)
const holiday = { name: 'Founders', kind: 'public', dates: [{ from: day, until: day, recurring: false }] }
const body = { holidays: [holiday], calendar: 'ZA' }

test('a preview of an import says who loses which hours, as the import then takes them, and stores nothing', async () => {
  const { json } = await ask('POST', '/api/holidays/import?preview=true', { body: { ...body, dryRun: true } })
  const { access } = changePreview.parse(json)
  expect([access?.gained.cardholders, access?.lost.cardholders]).toEqual([0, 1])
  expect(access?.lost.changes[0]?.times).toEqual([{ from: `${day}T08:00:00.000Z`, until: `${day}T12:00:00.000Z` }])
  expect((await ask('GET', '/api/holidays')).items).toEqual([])

  const at = `${day}T09:00:00.000Z`
  const decided = async () => {
    const { json: decision } = await ask('POST', '/api/explorer/decide', { body: { door, user, at } })
    return decideAccess.output.parse(decision).verdict
  }
  expect(await decided()).toBe('grant')
  expect((await ask('POST', '/api/holidays/import', { body })).status).toBe(200)
  expect(await decided()).toBe('deny')
})

test('an import into a calendar that no site follows changes no access', async () => {
  const other = { ...body, calendar: 'UK' }
  const { json } = await ask('POST', '/api/holidays/import?preview=true', { body: other })
  expect(changePreview.parse(json).access).toMatchObject({ gained: { cardholders: 0 }, lost: { cardholders: 0 } })
})

test('each stored holiday has an entry, by which the import is undone', async () => {
  const again = { ...body, calendar: null, holidays: [{ ...holiday, name: 'Undone' }] }
  const { json } = await ask('POST', '/api/holidays/import', { body: again })
  const [row] = importedHolidays.parse(json).rows
  expect((await ask('POST', `/api/auditLogs/${row?.entry}/undo`)).status).toBe(200)
  expect((await ask('GET', `/api/holidays/${row?._id}`)).status).toBe(404)
})
