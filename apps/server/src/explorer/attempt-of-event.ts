import type { events, Finding } from '@portcullis/contract/collections/events'
import { stateNotChecked } from '@portcullis/domain/decision/access-facts'
import type { Attempt } from '@portcullis/domain/decision/gather-facts'
import type { LeftOutOfUnit } from '@portcullis/domain/decision/left-out'
import { reasonCodes } from '@portcullis/domain/decision/reasons'
import { observedBy } from '@portcullis/domain/decision/resolve-decision'
import { z } from 'zod'

export type AccessEvent = z.output<typeof events.entitySchema>
/** An event of a decision that can be evaluated again. */
export type DecisionEvent = AccessEvent & { door: string; credential: string; outcome: 'granted' | 'denied' }

/** The attempt behind an event, with what only the controller could observe. */
export function attemptOfEvent(event: DecisionEvent): Attempt {
  const { door, credential, outcome, direction, occurredAt, unit, data } = event
  const tolerated = data.note?.code === 'antipassback_tolerated'
  return {
    ...observedBy({ unitVerdict: outcome === 'granted' ? 'grant' : 'deny', unitReason: unitReasonOf(event) }),
    ...(tolerated ? { state: { ...stateNotChecked, antipassback: 'tolerated' } } : {}),
    ...(unit === null ? {} : { unit }),
    ...presented(event),
    door,
    credential,
    direction: direction ?? 'entry',
    at: Date.parse(occurredAt),
    leftOut: leftOutIn(event),
  }
}

/** A PIN is checked as such only if no card came with it. */
export function presented({ data }: DecisionEvent) {
  return data.kind === 'pin' ? { isPinAlone: true } : {}
}

/** The reason that the controller gave; null for a grant. */
export function unitReasonOf({ outcome, reason, data }: DecisionEvent) {
  if (outcome === 'granted') return null
  return z.enum(reasonCodes).safeParse(data.unitReason).data ?? reason
}

/** The items for which the controller had no room: history does not hold them, but the findings of the event name them. */
function leftOutIn({ data, reasons, door, credential }: DecisionEvent): LeftOutOfUnit | undefined {
  if (data.note?.code !== 'left_out') return undefined
  const without = reasons.filter(({ facts }) => facts['leftOut'] === true)
  return {
    doors: without.some(({ step }) => step === 'door') ? [door] : [],
    oldestCredential: without.some(({ step }) => step === 'credential') ? credential : null,
    schedules: without.flatMap((finding) => scheduleOf(finding) ?? []),
  }
}

const withSchedule = z.object({ schedule: z.object({ _id: z.string() }) })

function scheduleOf({ facts }: Finding) {
  return withSchedule.safeParse(facts).data?.schedule._id
}
