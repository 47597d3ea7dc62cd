import { doors } from '@portcullis/contract/collections/doors'
import { sites } from '@portcullis/contract/collections/sites'
import { tasks } from '@portcullis/contract/collections/tasks'
import { screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { holding, itemOf } from '../routes/test-answers.ts'
import { openConsole } from '../routes/test-app.tsx'

const yard = itemOf(sites, { name: 'Yard', timeZone: 'Africa/Johannesburg' })
const gate = itemOf(doors, { name: 'Gate', site: yard._id })

beforeEach(() => {
  vi.stubEnv('TZ', 'America/New_York')
})

test('§4 lists: requests show their times on the clocks of the viewer and of the site, whose zones are read once', async () => {
  const { sent } = await openConsole('tasks/list', {
    answers: [holding(tasks, [request(1), request(2)]), holding(doors, [gate]), holding(sites, [yard])],
  })
  expect(await screen.findAllByText('Tue 00:15 UTC+2 at the site')).toHaveLength(2)
  expect(screen.getAllByText(/17:15:00/)).toHaveLength(2)
  expect(sent('GET', '/api/sites')).toHaveLength(1)
  expect(sent('GET', '/api/doors')).toHaveLength(1)
})

function request(number: number) {
  return tasks.entitySchema.parse({
    _id: `0198c0de-0000-7000-8000-00000000001${number}`,
    account: '0198c0de-0000-7000-8000-0000000000aa',
    type: 'RemoteAuthRequest',
    status: 'Expired',
    user: '0198c0de-0000-7000-8000-000000000001',
    userName: `Amahle Zulu ${number}`,
    door: gate._id,
    doorName: 'Gate',
    siteName: 'Yard',
    createdAt: '2026-01-05T22:15:00.000Z',
    data: { expiresAfterSeconds: 60, authAction: 'unlockOnce' },
    expiresAt: '2026-01-05T22:16:00.000Z',
    decidedBy: null,
    decidedByName: null,
    decidedAt: null,
    note: null,
    delivery: null,
    deliveryDetail: null,
    sentAt: null,
    openedAt: null,
  })
}
