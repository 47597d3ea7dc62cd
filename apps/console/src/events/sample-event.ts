import type { Event } from '../why/explanation.ts'

type SampleEventInput = Partial<Omit<Event, 'data'>> & { names?: Event['data']['names'] }

/** An event for the tests: card 0412-88213 at Loading Bay 2, going in, without findings. */
export function sampleEvent({ names = {}, ...given }: SampleEventInput = {}): Event {
  const outcome = given.outcome ?? 'denied'
  return {
    _id: '01a1f4af-d718-77d8-b75a-f6d5050c8854',
    account: '01a1f4af-0000-7000-8000-000000000000',
    type: `access.${outcome}`,
    category: 'access',
    severity: 'info',
    site: null,
    door: null,
    unit: null,
    user: null,
    credential: null,
    direction: 'entry',
    outcome,
    reason: null,
    reasons: [],
    occurredAt: '2026-11-18T18:42:07.000Z',
    receivedAt: '2026-11-18T18:42:07.000Z',
    backfilled: false,
    policyVersion: 48_213,
    data: { names, number: '0412-88213' },
    ...given,
  }
}
