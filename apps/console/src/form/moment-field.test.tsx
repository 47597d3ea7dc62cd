import type { EntityOf } from '@portcullis/contract/collection'
import { credentials } from '@portcullis/contract/collections/credentials'
import { doorGroups } from '@portcullis/contract/collections/door-groups'
import { doors } from '@portcullis/contract/collections/doors'
import { rules } from '@portcullis/contract/collections/rules'
import { schedules } from '@portcullis/contract/collections/schedules'
import { siteGroups } from '@portcullis/contract/collections/site-groups'
import { sites } from '@portcullis/contract/collections/sites'
import { userGroups } from '@portcullis/contract/collections/user-groups'
import { users } from '@portcullis/contract/collections/users'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { holding, hyperUser, itemOf } from '../routes/test-answers.ts'
import { type Answer, openConsole } from '../routes/test-app.tsx'

const johannesburg = 'Africa/Johannesburg'
const yard = itemOf(sites, { name: 'Yard', timeZone: johannesburg })
const office = itemOf(sites, { name: 'Office', timeZone: 'Europe/London' })
const gate = itemOf(doors, { name: 'Gate', site: yard._id })
const desk = itemOf(doors, { name: 'Desk', site: office._id })
const amahle = itemOf(users, { name: 'Amahle Zulu' })
const as = { ...hyperUser, account: hyperUser.account && { ...hyperUser.account, defaultTimeZone: johannesburg } }

beforeEach(() => {
  vi.stubEnv('TZ', 'America/New_York')
})

test('§4 pickers: the validity of a user is entered in the account’s time zone, which the field names', async () => {
  const { user, sent } = await openConsole(`users/list?open=${amahle._id}`, { as, answers: [saved, ...everything()] })
  const from = await field('Valid from')
  within(from).getByText('Time in Johannesburg (UTC+2)')
  await user.type(dateOf(from), '20/1/27')
  await within(from).findByText('Time in Johannesburg (UTC+2). In your time zone: 19 Jan 2027, 17:00')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(sent('PATCH', `/api/users/${amahle._id}`)).toHaveLength(1))
  expect(sent('PATCH', `/api/users/${amahle._id}`)[0]?.body).toMatchObject({ validFrom: '2027-01-19T22:00:00.000Z' })
})

test('§4 pickers: where the account’s clock is the viewer’s, no time zone is named', async () => {
  vi.stubEnv('TZ', 'Africa/Maputo')
  await openConsole(`users/list?open=${amahle._id}`, { as, answers: everything() })
  expect((await field('Valid from')).textContent).not.toContain('Time in')
})

test('§4 pickers: temporary access to doors of one site is entered in its time zone, which the field names', async () => {
  const rule = boxed([gate])
  const { user, sent } = await openConsole(`rules/adhoc?open=${rule._id}`, {
    as,
    answers: [saved, ...everything(rule)],
  })
  const until = await field('Until')
  await within(until).findByText('Time in Johannesburg (UTC+2). In your time zone: 20 Jan 2027, 13:00')
  expect([dateOf(until).value, timeOf(until).value]).toEqual(['20/01/2027', '20:00'])
  await user.clear(timeOf(until))
  await user.type(timeOf(until), '21:30')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(sent('PATCH', `/api/rules/${rule._id}`)).toHaveLength(1))
  const box = { from: '2027-01-20T06:00:00.000Z', until: '2027-01-20T19:30:00.000Z' }
  expect(sent('PATCH', `/api/rules/${rule._id}`)[0]?.body).toMatchObject({ adhoc: box })
})

test('§4 pickers: temporary access to doors in several time zones is entered in the viewer’s', async () => {
  const rule = boxed([gate, desk])
  await openConsole(`rules/adhoc?open=${rule._id}`, { as, answers: everything(rule) })
  const until = await field('Until')
  expect(timeOf(until).value).toBe('13:00')
  expect(until.textContent).not.toContain('Time in')
})

function boxed(where: readonly EntityOf<typeof doors>[]) {
  return itemOf(rules, {
    name: 'Contractors',
    effect: 'allow',
    who: [{ kind: 'User', id: amahle._id }],
    where: where.map(({ _id }) => ({ kind: 'Door' as const, id: _id })),
    adhoc: { from: '2027-01-20T06:00:00.000Z', until: '2027-01-20T18:00:00.000Z' },
  })
}

function everything(...held: EntityOf<typeof rules>[]): Answer[] {
  return [
    holding(rules, held),
    holding(users, [amahle]),
    holding(credentials, []),
    holding(userGroups, []),
    holding(doorGroups, []),
    holding(siteGroups, []),
    holding(schedules, []),
    holding(sites, [yard, office]),
    holding(doors, [gate, desk]),
  ]
}

function saved({ method, body }: Parameters<Answer>[0]) {
  if (method !== 'PATCH') return undefined
  return body
}

/** The whole of a field of the form, with its hint. */
async function field(name: string): Promise<HTMLElement> {
  const group = await screen.findByRole('group', { name })
  const whole = group.parentElement
  if (whole === null) throw new Error(`The field ${name} has no wrapper.`)
  return whole
}

function dateOf(whole: HTMLElement) {
  return within(whole).getByRole<HTMLInputElement>('textbox', { name: 'Date' })
}

function timeOf(whole: HTMLElement) {
  return within(whole).getByRole<HTMLInputElement>('combobox', { name: 'Time' })
}
