import { usersOfRule, rulesAtDoor } from '@portcullis/domain/decision/applying-rules'
import type { PolicyIndex } from '@portcullis/domain/decision/gather-facts'
import { holderFacts, holderOf } from '@portcullis/domain/decision/holder-facts'
import type { Credential, Door, Rule } from '@portcullis/domain/policy'
import type { ReasonCode } from '@portcullis/domain/decision/reasons'
import { listsOf } from './policy-lists.ts'
import type { Random } from './random.ts'
import { decisionOn, type Swipe } from './swipe.ts'

/** The reasons for denials that the demonstration's configuration can cause. */
export const unhappyReasons = [
  'door_unknown',
  'door_disabled',
  'unit_out_of_service',
  'door_locked_down',
  'door_blocked',
  'credential_unknown',
  'credential_unassigned',
  'credential_suspended',
  'credential_lost',
  'credential_stolen',
  'credential_revoked',
  'not_yet_valid',
  'expired',
  'holder_inactive',
  'recertification_overdue',
  'denied_by_rule',
  'no_access',
  'outside_schedule',
  'holiday_closed',
  'adhoc_not_started',
  'adhoc_ended',
] as const satisfies readonly ReasonCode[]

export type UnhappyReason = (typeof unhappyReasons)[number]

type UnhappySwipeInput = { index: PolicyIndex; reason: UnhappyReason; at: number; random: Random }

/** A user who would be denied for this reason now; undefined if there is none. */
export function unhappySwipe({ index, reason, at, random }: UnhappySwipeInput): Swipe | undefined {
  const meetings = meetingsFor(index, reason)
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const swipe = swipeOf(random.pick(meetings), { reason, random })
    if (swipe && decisionOn(index, swipe, at).reason === reason) return swipe
  }
  return undefined
}

const maxAttempts = 60

/** Doors at which one of these cards may be denied. */
type Meeting = { doors: readonly Door[]; cards: readonly Credential[] }

function swipeOf(meeting: Meeting | undefined, { reason, random }: Pick<UnhappySwipeInput, 'reason' | 'random'>) {
  const door = random.pick(meeting?.doors ?? [])
  const card = random.pick(meeting?.cards ?? [])
  if (!door || !card || door.unit === null || door.unitDoor === null) return undefined
  const swipe: Swipe = { unit: door.unit, unitDoor: door.unitDoor, number: card.number, direction: 'entry' }
  if (reason === 'door_unknown') return { ...swipe, unitDoor: unwiredDoor }
  if (reason !== 'credential_unknown') return swipe
  return { ...swipe, number: `0${random.between(290, 399)}-${random.between(10_000, 99_999)}` }
}

/** A reader that is connected and not configured. */
const unwiredDoor = 12

const cache = new WeakMap<PolicyIndex, Map<UnhappyReason, Meeting[]>>()

/** Computed once per policy, because users arrive every few seconds. */
function meetingsFor(index: PolicyIndex, reason: UnhappyReason): Meeting[] {
  const ofPolicy = cache.get(index) ?? new Map<UnhappyReason, Meeting[]>()
  const meetings = ofPolicy.get(reason) ?? findMeetings(index, reason).filter(isPossible)
  cache.set(index, ofPolicy.set(reason, meetings))
  return meetings
}

function isPossible({ doors, cards }: Meeting) {
  return doors.length > 0 && cards.length > 0
}

function findMeetings(index: PolicyIndex, reason: UnhappyReason): Meeting[] {
  const { doors, credentials, rules } = listsOf(index)
  const working = doors.filter(({ enabled, mode }) => enabled && mode === 'normal')
  const held = credentials.filter(({ user, status }) => user !== null && status === 'active')
  const anyUserAt = (places: readonly Door[]) => [{ doors: places, cards: held }]
  const atHome = (cards: readonly Credential[]) =>
    listsOf(index).accounts.map(({ _id }) => ({
      doors: working.filter(({ account }) => account === _id),
      cards: cards.filter(({ account }) => account === _id),
    }))
  const underRule = (matches: (rule: Rule) => boolean) =>
    rules
      .filter((rule) => rule.enabled && matches(rule))
      .map((rule) => {
        const people = usersOfRule(index, rule)
        return {
          doors: working.filter((door) => rulesAtDoor(index, door).includes(rule)),
          cards: held.filter(({ user }) => user !== null && people.has(user)),
        }
      })
  switch (reason) {
    case 'door_unknown':
    case 'credential_unknown':
      return anyUserAt(working)
    case 'door_disabled':
      return anyUserAt(doors.filter(({ enabled }) => !enabled))
    case 'unit_out_of_service':
      return anyUserAt(doors.filter(({ unit }) => unit !== null && index.units.get(unit)?.inService === false))
    case 'door_locked_down':
      return anyUserAt(doors.filter(({ mode }) => mode === 'lockdown'))
    case 'door_blocked':
      return anyUserAt(doors.filter(({ mode }) => mode === 'blocked'))
    case 'credential_unassigned':
      return atHome(credentials.filter(({ user }) => user === null))
    case 'credential_suspended':
      return atHome(credentials.filter(({ status }) => status === 'suspended'))
    case 'credential_lost':
      return atHome(credentials.filter(({ status }) => status === 'lost'))
    case 'credential_stolen':
      return atHome(credentials.filter(({ status }) => status === 'stolen'))
    case 'credential_revoked':
      return atHome(credentials.filter(({ status }) => status === 'revoked'))
    case 'not_yet_valid':
      return atHome(held.filter((card) => card.validFrom ?? holderOf(index, card)?.validFrom))
    case 'expired':
      return atHome(held.filter((card) => card.validUntil ?? holderOf(index, card)?.validUntil))
    case 'holder_inactive':
      return atHome(held.filter((card) => holderOf(index, card)?.status === 'suspended'))
    case 'recertification_overdue':
      return atHome(soonestDue(index, held))
    case 'no_access':
      return atHome(held)
    case 'denied_by_rule':
      return underRule(({ effect }) => effect === 'deny')
    case 'outside_schedule':
    case 'holiday_closed':
      return underRule(({ effect, schedule }) => effect === 'allow' && schedule !== null)
    case 'adhoc_not_started':
    case 'adhoc_ended':
      return underRule(({ effect, adhoc }) => effect === 'allow' && adhoc !== null)
  }
}

/** The number of cards of users whose recertification is due next. */
const maxDue = 10

function soonestDue(index: PolicyIndex, held: readonly Credential[]): Credential[] {
  const due = held.flatMap((card) => {
    const holder = holderOf(index, card)
    const recertification = holder && holderFacts(index, holder).recertification
    return recertification?.enforced ? [{ card, by: recertification.by ?? '' }] : []
  })
  const first = due.toSorted((one, other) => (one.by < other.by ? -1 : 1)).slice(0, maxDue)
  return first.map(({ card }) => card)
}
