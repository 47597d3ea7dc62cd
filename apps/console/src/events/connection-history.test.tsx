import { doors } from '@portcullis/contract/collections/doors'
import { events } from '@portcullis/contract/collections/events'
import { units } from '@portcullis/contract/collections/units'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { holding, itemOf } from '../routes/test-answers.ts'
import { openConsole } from '../routes/test-app.tsx'
import { sampleEvent } from './sample-event.ts'

/** The connection of a controller that was offline each second hour, up to the last one. */
async function openConnection(hours: number) {
  const unit = itemOf(units, { name: 'Gatehouse', serial: 'PC-1', status: 'online' })
  const reports = Array.from({ length: hours }, (_, hour) =>
    sampleEvent({
      _id: `0198c0de-0000-7000-8000-${String(hour).padStart(12, '0')}`,
      type: hour % 2 === 0 ? 'unit.online' : 'unit.offline',
      unit: unit._id,
      occurredAt: new Date(Date.now() - (hour + 1) * 3_600_000).toISOString(),
    }),
  )
  await openConsole(`units/${unit._id}`, {
    answers: [holding(units, [unit]), holding(doors, []), holding(events, reports)],
  })
  return { unit, connection: await screen.findByRole('region', { name: 'Connection' }) }
}

test('outages beyond the first five lead to the events about them', async () => {
  const { unit, connection } = await openConnection(14)
  const more = await within(connection).findByRole('link', { name: 'and 2 more outages' })
  const search = new URL(more.getAttribute('href') ?? '', 'http://console').searchParams
  expect(Object.fromEntries(search)).toMatchObject({ type: 'unit.offline', unit: unit._id })
  expect(search.get('time')).toMatch(/^\d{4}-.*\.\.$/)
  expect(within(connection).getAllByRole('listitem')).toHaveLength(5)
})

test('the days of the last week are named, and the time before the first report is said to be unknown', async () => {
  const { connection } = await openConnection(2)
  await within(connection).findByText(/1 outage in the last 7 days/)
  expect(connection.textContent).toContain('Grey: not known before')
  const days = Array.from({ length: 6 }, (_, ago) => new Date(Date.now() - (ago + 0.5) * 86_400_000))
  for (const day of days.slice(1, 5)) {
    const name = `${day.toLocaleDateString('en', { weekday: 'short' })} ${day.getDate()}`
    expect(connection.textContent).toContain(name)
  }
})
