import { peopleOfRule, rulesAtDoor } from '@portcullis/domain/applying-rules'
import type { PolicyIndex } from '@portcullis/domain/gather-facts'
import { holderOf } from '@portcullis/domain/holder-facts'
import type { Credential, Door, Rule } from '@portcullis/domain/policy'
import type { ReasonCode } from '@portcullis/domain/reasons'
import type { Random } from './random.ts'
import { decisionOn, type Swipe } from './swipe.ts'

/** The reasons for which somebody may be turned away by what can be configured so far. */
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

type Asked = { index: PolicyIndex; reason: UnhappyReason; at: number; random: Random }

/** Somebody who would be turned away for this reason at this moment, if there is anybody. */
export function unhappySwipe({ index, reason, at, random }: Asked): Swipe | undefined {
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const swipe = candidate({ index, reason, random })
    if (swipe && decisionOn(index, swipe, at).reason === reason) return swipe
  }
  return undefined
}

const mostAttempts = 60

function candidate({ index, reason, random }: Omit<Asked, 'at'>): Swipe | undefined {
  const { doors, credentials, rules } = index.policy
  const working = doors.filter(({ enabled, mode }) => enabled && mode === 'normal')
  const anybody = credentials.filter(({ user, status }) => user !== null && status === 'active')
  const at = (places: readonly Door[], people: readonly Credential[]) => pair({ places, people, random })
  const near = (people: readonly Credential[]) => {
    const card = random.pick(people)
    return (
      card &&
      at(
        working.filter(({ account }) => account === card.account),
        [card],
      )
    )
  }
  const ruled = (which: (rule: Rule) => boolean) => {
    const rule = random.pick(rules.filter((one) => one.enabled && which(one)))
    if (!rule) return undefined
    const people = peopleOfRule(index, rule)
    return at(
      working.filter((door) => rulesAtDoor(index, door).includes(rule)),
      anybody.filter(({ user }) => user !== null && people.has(user)),
    )
  }
  switch (reason) {
    case 'door_unknown': {
      const swipe = at(working, anybody)
      return swipe && { ...swipe, unitDoor: unwiredDoor }
    }
    case 'door_disabled':
      return at(
        doors.filter(({ enabled }) => !enabled),
        anybody,
      )
    case 'unit_out_of_service':
      return at(
        doors.filter(({ unit }) => unit !== null && index.units.get(unit)?.inService === false),
        anybody,
      )
    case 'door_locked_down':
      return at(
        doors.filter(({ mode }) => mode === 'lockdown'),
        anybody,
      )
    case 'door_blocked':
      return at(
        doors.filter(({ mode }) => mode === 'blocked'),
        anybody,
      )
    case 'credential_unknown': {
      const swipe = at(working, anybody)
      return swipe && { ...swipe, number: `0${random.between(290, 399)}-${random.between(10_000, 99_999)}` }
    }
    case 'credential_unassigned':
      return near(credentials.filter(({ user }) => user === null))
    case 'credential_suspended':
      return near(credentials.filter(({ status }) => status === 'suspended'))
    case 'credential_lost':
      return near(credentials.filter(({ status }) => status === 'lost'))
    case 'credential_stolen':
      return near(credentials.filter(({ status }) => status === 'stolen'))
    case 'credential_revoked':
      return near(credentials.filter(({ status }) => status === 'revoked'))
    case 'not_yet_valid':
      return near(anybody.filter((card) => card.validFrom ?? holderOf(index, card)?.validFrom))
    case 'expired':
      return near(anybody.filter((card) => card.validUntil ?? holderOf(index, card)?.validUntil))
    case 'holder_inactive':
      return near(anybody.filter((card) => holderOf(index, card)?.status === 'suspended'))
    case 'recertification_overdue':
      return near(anybody.filter(({ account }) => index.accounts.get(account)?.recertifyEveryDays))
    case 'no_access':
      return near(anybody)
    case 'denied_by_rule':
      return ruled(({ effect }) => effect === 'deny')
    case 'outside_schedule':
    case 'holiday_closed':
      return ruled(({ effect, schedule }) => effect === 'allow' && schedule !== null)
    case 'adhoc_not_started':
    case 'adhoc_ended':
      return ruled(({ effect, adhoc }) => effect === 'allow' && adhoc !== null)
  }
}

/** A reader that somebody has connected and nobody has configured. */
const unwiredDoor = 12

type Pair = { places: readonly Door[]; people: readonly Credential[]; random: Random }

function pair({ places, people, random }: Pair): Swipe | undefined {
  const door = random.pick(places)
  const card = random.pick(people)
  if (!door || !card || door.unit === null || door.unitDoor === null) return undefined
  return { unit: door.unit, unitDoor: door.unitDoor, number: card.number, direction: 'entry' }
}
