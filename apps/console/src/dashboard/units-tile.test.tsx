import type { EntityOf } from '@portcullis/contract/collection'
import { doors } from '@portcullis/contract/collections/doors'
import { units } from '@portcullis/contract/collections/units'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { holding, itemOf, userWith } from '../routes/test-answers.ts'
import { type AppRequest, openConsole } from '../routes/test-app.tsx'

const viewer = userWith([
  { action: 'view', subject: 'Dashboards' },
  { action: 'view', subject: 'Controllers' },
])
const statusOf = z.object({ status: z.string() })

test('offline controllers are listed first, however many others have never been seen', async () => {
  const unseen = Array.from({ length: 250 }, (_, index) => unit(`Spare-${index}`, 'never_seen'))
  const all = [...unseen, unit('Gatehouse', 'offline')]
  await openConsole('dashboard', {
    as: viewer,
    answers: [
      ({ path }) => (path === '/api/units/aggregate' ? { rows: counted({ never_seen: 250, offline: 1 }) } : undefined),
      (request) =>
        holding(
          units,
          all.filter(({ status }) => status === filtered(request)),
        )(request),
    ],
  })
  const rows = within(await screen.findByRole('list', { name: 'Controllers needing attention' })).getAllByRole(
    'listitem',
  )
  expect(rows[0]?.textContent).toContain('Gatehouse')
  expect(screen.getByText('And 246 more controllers')).toBeTruthy()
})

test('tampering of an offline controller is shown as last known', async () => {
  const tampered = { ...unit('Gatehouse', 'offline'), tamperedSince: '2026-01-05T08:00:00.000Z' }
  await openConsole('dashboard', {
    as: viewer,
    answers: [
      ({ path }) => (path === '/api/units/aggregate' ? { rows: counted({ offline: 1 }) } : undefined),
      holding(units, [tampered]),
    ],
  })
  const list = await screen.findByRole('list', { name: 'Controllers needing attention' })
  expect(list.textContent).toContain('Last known: tampered')
})

test('controllers over capacity are counted among all, and so are the doors that they have no room for', async () => {
  const full = ['Gatehouse', 'Depot'].map((name) => ({
    ...unit(name, 'online'),
    capacityExceededSince: '2026-01-05T08:00:00.000Z',
    capacity: { doors: 2, credentials: 10, schedules: 4, events: 50 },
    configSize: { doors: 5, credentials: 3, schedules: 1 },
  }))
  await openConsole('dashboard', {
    as: userWith([...viewer.rules, { action: 'view', subject: doors.subject }]),
    answers: [
      ({ path }) => (path === '/api/units/aggregate' ? { rows: counted({ online: 300 }) } : undefined),
      ({ path }) => (path === '/api/doors/aggregate' ? { rows: [] } : undefined),
      holding(doors, []),
      // None of them is among the first 200 that are online.
      (request) =>
        holding(units, (request.query.get('filter') ?? '').includes('capacityExceededSince') ? full : [])(request),
    ],
  })
  const note = await screen.findByText(/^6 doors are not on their controllers.*count their last known state\./)
  const link = within(note).getByRole('link', { name: 'Show' })
  expect(link.getAttribute('href')).toBe('/main/units/list?condition=capacityExceeded&inService=yes')
  const figure = screen.getByRole('link', { name: '2 Over capacity' })
  expect(figure.getAttribute('href')).toBe('/main/units/list?condition=capacityExceeded&inService=yes')
  const figures = within(screen.getByRole('list', { name: 'Controllers' })).getAllByRole('listitem')
  // Those with a fault are first: they are among the ones that are online.
  expect(figures.map(({ textContent }) => textContent).slice(0, 3)).toEqual([
    '0Offline',
    '0Out of sync',
    '2Over capacity',
  ])
})

function unit(name: string, status: EntityOf<typeof units>['status']) {
  return itemOf(units, { name, serial: name, status, inService: true })
}

function counted(counts: Record<string, number>) {
  return Object.entries(counts).map(([status, count]) => ({ status, inService: true, count }))
}

function filtered({ query }: AppRequest) {
  return statusOf.safeParse(JSON.parse(query.get('filter') ?? '{}')).data?.status
}
