import { expect, test } from 'vitest'
import type { Request } from './request.ts'
import { shownRequests } from './shown-requests.ts'

const [first, second, third] = ['08:00', '08:01', '08:02'].map((time, index) => request(`${index}`, time))
const listed = [first, second, third].flatMap((each) => each ?? [])

test('§4 the newest request is on top', () => {
  expect(idsOf({ listed, decided: [] })).toEqual(['2', '1', '0'])
})

test('§4 an update from elsewhere that is no longer Requested removes it', () => {
  for (const status of ['Granted', 'Denied', 'Expired'] as const) {
    const changed = listed.map((each) => (each._id === '1' ? { ...each, status } : each))
    expect(idsOf({ listed: changed, decided: [] })).toEqual(['2', '0'])
  }
})

test('§4 a request decided here stays in its place with its status, until it is cleared', () => {
  const decided = listed.filter(({ _id }) => _id === '1').map((each) => ({ ...each, status: 'Granted' as const }))
  const shown = shownRequests({ listed, decided })
  expect(shown.map(({ _id, status }) => `${_id} ${status}`)).toEqual(['2 Requested', '1 Granted', '0 Requested'])
  expect(idsOf({ listed: listed.filter(({ _id }) => _id !== '1'), decided: [] })).toEqual(['2', '0'])
})

function idsOf(input: Parameters<typeof shownRequests>[0]) {
  return shownRequests(input).map(({ _id }) => _id)
}

function request(_id: string, time: string): Request {
  return {
    _id,
    account: 'a',
    type: 'RemoteAuthRequest',
    status: 'Requested',
    user: 'u',
    userName: 'Ann',
    door: 'd',
    doorName: 'Back door',
    siteName: 'Oslo',
    createdAt: `2026-03-02T${time}:00.000Z`,
    data: { expiresAfterSeconds: 60, authAction: 'unlockOnce' },
    expiresAt: `2026-03-02T09:00:00.000Z`,
    decidedBy: null,
    decidedByName: null,
    decidedAt: null,
    note: null,
    delivery: null,
    deliveryDetail: null,
    sentAt: null,
    openedAt: null,
  }
}
