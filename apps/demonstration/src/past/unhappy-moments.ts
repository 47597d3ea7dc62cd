import type { Random } from '../random.ts'
import { type UnhappyReason, unhappyReasons, unhappySwipe } from '../unhappy-swipes.ts'
import type { PastSwipe } from './habits.ts'
import { inspection } from '../world/happenings.ts'
import type { PolicyInTime } from './policy-in-time.ts'

type Asked = { policies: PolicyInTime; now: Date; days: number; random: Random }

/** A few people turned away for each reason, at moments at which it was one. */
export function unhappySwipes(asked: Asked): PastSwipe[] {
  const { random } = asked
  return unhappyReasons.flatMap((reason) => {
    const [least, most] = often[reason] ?? usually
    return Array.from({ length: random.between(least, most) }, () => turnedAway(asked, reason)).flat()
  })
}

const usually = [4, 8] as const

/** What happens more often in every building. */
const often: Partial<Record<UnhappyReason, readonly [number, number]>> = {
  credential_unknown: [24, 34],
  no_access: [26, 36],
  outside_schedule: [22, 30],
  door_unknown: [2, 4],
}

function turnedAway({ policies, now, days, random }: Asked, reason: UnhappyReason): PastSwipe[] {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const at = momentOf(reason, { now, days, random })
    const swipe = unhappySwipe({ index: policies.at(at).index, reason, at, random })
    if (swipe) return [{ ...swipe, at }]
  }
  return []
}

const attempts = 40

function momentOf(reason: UnhappyReason, { now, days, random }: Omit<Asked, 'policies'>) {
  const { from, until } = reason === 'unit_out_of_service' ? inspection(now) : wholeSpan(now, days)
  const any = () => Math.round(from + random.next() * (until - from))
  let at = any()
  for (let again = 0; again < 4 && isQuiet(at) && random.chance(0.8); again++) at = any()
  return at
}

function wholeSpan(now: Date, days: number) {
  return { from: now.getTime() - days * 86_400_000, until: now.getTime() - 10 * 60_000 }
}

/** Most people are there on working days and by day. */
function isQuiet(at: number) {
  const moment = new Date(at)
  const hour = moment.getUTCHours()
  return hour < 4 || hour > 17 || moment.getUTCDay() % 6 === 0
}
