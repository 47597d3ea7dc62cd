import { type PolicyIndex, policyIndex } from '@portcullis/domain/gather-facts'
import type { Random } from '../random.ts'
import { unhappyReasons, unhappySwipe } from '../unhappy-swipes.ts'
import { type Happening, newcomer } from './happenings.ts'
import type { PastSwipe } from './week-of-swipes.ts'

type Asked = { index: PolicyIndex; now: Date; days: number; happenings: readonly Happening[]; random: Random }

/** A few people turned away for each reason, in the days before now. */
export function unhappyWeek(asked: Asked): PastSwipe[] {
  const { index, random } = asked
  const service = asked.happenings.find(({ what }) => what === 'out_of_service')
  const swipes = unhappyReasons.flatMap((reason) => {
    const isService = reason === 'unit_out_of_service'
    const policy = isService && service ? withoutService(index, service.unit) : index
    const span = isService && service ? service : wholeSpan(asked)
    return Array.from({ length: random.between(3, 7) }, () => {
      for (let attempt = 0; attempt < 40; attempt++) {
        const at = momentIn(span, random)
        const swipe = unhappySwipe({ index: policy, reason, at, random })
        if (swipe) return [{ ...swipe, at }]
      }
      return []
    }).flat()
  })
  return [...swipes, ...newcomerTurnedAway(asked)]
}

/** The same policy with a unit out of service. */
export function withoutService(index: PolicyIndex, unit: string) {
  const units = index.policy.units.map((one) => (one.name === unit ? { ...one, inService: false } : one))
  return policyIndex({ ...index.policy, units })
}

function newcomerTurnedAway({ index, happenings }: Asked): PastSwipe[] {
  const outage = happenings.find(({ unit, what }) => unit === newcomer.unit && what === 'offline')
  const person = index.policy.users.find(({ name }) => name === newcomer.name)
  const card = person && index.credentialsOfUser.get(person._id)?.[0]
  const door = index.policy.doors.find(({ name }) => name === newcomer.door)
  if (!outage || !card || !door || door.unit === null || door.unitDoor === null) return []
  const swipe = { unit: door.unit, unitDoor: door.unitDoor, number: card.number, direction: 'entry' as const }
  return [0.4, 0.41].map((share) => ({ ...swipe, at: outage.from + (outage.until - outage.from) * share }))
}

function wholeSpan({ now, days }: Asked) {
  return { from: now.getTime() - days * dayMs, until: now.getTime() - 10 * 60_000 }
}

/** Mostly on working days and by day, when there are people. */
function momentIn({ from, until }: { from: number; until: number }, random: Random) {
  let at = from + random.next() * (until - from)
  for (let attempt = 0; attempt < 4 && isQuiet(at) && random.chance(0.8); attempt++) {
    at = from + random.next() * (until - from)
  }
  return at
}

function isQuiet(at: number) {
  const moment = new Date(at)
  const hour = moment.getUTCHours()
  return hour < 4 || hour > 17 || moment.getUTCDay() % 6 === 0
}

const dayMs = 86_400_000
