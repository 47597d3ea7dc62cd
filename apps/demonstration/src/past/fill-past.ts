import type { EventType } from '@portcullis/contract/event-types'
import type { PolicyIndex } from '@portcullis/domain/decision/gather-facts'
import type { Door } from '@portcullis/domain/policy'
import sql from 'sql-template-tag'
import type { Transaction } from '@portcullis/server/database/database'
import { updateDoorStates } from '@portcullis/server/ingest/door-states'
import type { EventRow } from '@portcullis/server/ingest/event-row'
import { insertEvents } from '@portcullis/server/ingest/store-events'
import { listsOf } from '../policy-lists.ts'
import type { Random } from '../random.ts'
import { troubles } from '../world/places.ts'
import { habitualSwipes, type PastSwipe } from './habits.ts'
import { forcedDoors, inspection, modeChanges, momentBefore, newcomer, outagesBefore } from '../world/past-incidents.ts'
import { accountKeys } from '../world/account-keys.ts'
import { titlesOf } from './titles-of.ts'
import type { PolicyInTime } from './policy-in-time.ts'
import { type DoorChange, type EventDescriber, eventDescriber } from './describe-events.ts'
import { type UnhappyReason, unhappyReasons, unhappySwipe } from '../unhappy-swipes.ts'

type FillPastInput = { policies: PolicyInTime; now: Date; random: Random }

export const daysOfPast = 30

const batch = 1_000
/** How long ago the currently held door was opened. */
const heldMinutes = 37
/** The time until a controller confirms the mode of a door. */
const confirmedMs = 240

/** Stores the events of the last thirty days, as the gateway would have stored them. Returns their number. */
export async function fillPast(tx: Transaction, { policies, now, random }: FillPastInput) {
  const outages = outagesBefore(now)
  const describer = eventDescriber({
    policies,
    outages,
    random,
    accounts: await accountKeys(tx),
    titles: await titlesOf(tx),
  })
  const { index } = policies.at(now.getTime())
  const input = { policies, now, days: daysOfPast, random }
  const swipes = [...habitualSwipes(input), ...unhappySwipes(input), ...newcomerDenied(index, now)]
  const least = now.getTime() - daysOfPast * 86_400_000
  const past = swipes.filter(({ at }) => at > least && at < now.getTime() - 60_000).sort((a, b) => a.at - b.at)

  const writer = eventWriter(tx)
  for (const outage of outages) await writer.add(presence(outage))
  for (const { door, ...moment } of forcedDoors)
    await writer.add(moved(doorNamed(index, door), forcing(momentBefore(now, moment))))
  for (const { door, mode, ...moment } of modeChanges) {
    const at = momentBefore(now, moment) + confirmedMs
    await writer.add(moved(doorNamed(index, door), [{ what: 'mode_changed', at, detail: mode }]))
  }
  for (const events of eventsOf(past, { describer, policies, now, random })) await writer.add(events)
  const held = doorNamed(index, troubles.heldOpen.door)
  const opened = now.getTime() - heldMinutes * 60_000
  await writer.add(moved(held, wedging(opened, held.heldOpenAfterSeconds)))
  return writer.end()

  function presence({ unit: name, from, until }: (typeof outages)[number]) {
    const unit = listsOf(index).units.find((one) => one.name === name)?._id ?? ''
    return [describer.presence({ unit, at: from }, 'offline'), describer.presence({ unit, at: until }, 'online')]
  }

  function moved({ unit, unitDoor }: Door, movements: readonly Movement[]) {
    if (unit === null || unitDoor === null) return []
    return movements.map(({ what, at, detail }) => describer.door({ unit, unitDoor, at }, what, detail))
  }
}

type EventsOfInput = { describer: EventDescriber; policies: PolicyInTime; now: Date; random: Random }

/** Each decision, and the following door events. */
function* eventsOf(swipes: readonly PastSwipe[], { describer, policies, now, random }: EventsOfInput) {
  // Omits a door that would close after now, because past events are complete.
  const over = (movements: Movement[]) => (lastAt(movements) < now.getTime() ? movements : [])
  const openUntil = new Map<string, number>()
  for (const swipe of swipes) {
    const { unit, unitDoor, at, direction } = swipe
    const access = describer.access(swipe)
    if (access.outcome === 'denied') {
      yield [access]
      continue
    }
    const doorId = access.door ?? ''
    const { heldOpenAfterSeconds, directions } = policies.at(at).index.doors.get(doorId) ?? unknownDoor
    const isOpen = (openUntil.get(doorId) ?? 0) > at
    const movements = isOpen ? [] : over(passage({ at, heldOpenAfterSeconds, random }))
    if (!isOpen) openUntil.set(doorId, movements.at(-1)?.at ?? at)
    if (direction === 'entry' && !directions.exit) movements.push(...over(leaving({ at, random })))
    yield [access, ...movements.map((movement) => describer.door({ unit, unitDoor, at: movement.at }, movement.what))]
  }
}

const unknownDoor = { heldOpenAfterSeconds: 30, directions: { exit: false } }

function lastAt(movements: readonly Movement[]) {
  return movements.at(-1)?.at ?? 0
}

const moving: readonly EventType[] = ['door.opened', 'door.closed', 'door.held', 'door.forced']

/** Stores events in batches: the next batch is described while the database stores one. */
function eventWriter(tx: Transaction) {
  const newest = new Map<string, EventRow>()
  let waiting: EventRow[] = []
  let count = 0
  let storing: Promise<unknown> = Promise.resolve()

  return {
    async add(events: readonly EventRow[]) {
      waiting.push(...events)
      if (waiting.length >= batch) await flush()
    },
    async end() {
      await flush()
      await storing
      updateDoorStates(tx, [...newest.values()])
      // Doors without events are closed.
      await tx.run(sql`update door_state set door_state_state = 'closed' where door_state_state = 'unknown'`)
      return count
    },
  }

  async function flush() {
    const events = waiting
    waiting = []
    count += events.length
    for (const event of events) keepNewest(event)
    const text = JSON.stringify(events)
    await storing
    storing = insertEvents(tx, text)
  }

  function keepNewest(event: EventRow) {
    if (!moving.includes(event.type) || event.door === null) return
    const latest = newest.get(event.door)
    if (!latest || latest.occurredAt <= event.occurredAt) newest.set(event.door, event)
  }
}

function newcomerDenied(index: PolicyIndex, now: Date): PastSwipe[] {
  const { unit, unitDoor } = doorNamed(index, newcomer.door)
  if (unit === null || unitDoor === null) return []
  const { number } = newcomer
  return newcomer.deniedAt(now).map((at) => ({ unit, unitDoor, number, direction: 'entry', at }))
}

function doorNamed(index: PolicyIndex, name: string) {
  const door = listsOf(index).doors.find((one) => one.name === name)
  if (!door) throw new Error(`there is no door ${name}`)
  return door
}

type UnhappyInput = { policies: PolicyInTime; now: Date; days: number; random: Random }

/** A few denials for each reason, at times when the reason applied. */
function unhappySwipes(input: UnhappyInput): PastSwipe[] {
  const { random } = input
  return unhappyReasons.flatMap((reason) => {
    const [least, most] = often[reason] ?? usually
    return Array.from({ length: random.between(least, most) }, () => denials(input, reason)).flat()
  })
}

const usually = [4, 8] as const

/** The most frequent reasons for denials. */
const often: Partial<Record<UnhappyReason, readonly [number, number]>> = {
  credential_unknown: [24, 34],
  no_access: [26, 36],
  outside_schedule: [22, 30],
  door_unknown: [2, 4],
}

function denials({ policies, now, days, random }: UnhappyInput, reason: UnhappyReason): PastSwipe[] {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const at = momentOf(reason, { now, days, random })
    const swipe = unhappySwipe({ index: policies.at(at).index, reason, at, random })
    if (swipe) return [{ ...swipe, at }]
  }
  return []
}

const attempts = 40

function momentOf(reason: UnhappyReason, { now, days, random }: Omit<UnhappyInput, 'policies'>) {
  const { from, until } = reason === 'unit_out_of_service' ? inspection(now) : wholeSpan(now, days)
  const any = () => Math.round(from + random.next() * (until - from))
  let at = any()
  for (let again = 0; again < 4 && isQuiet(at) && random.chance(0.8); again++) at = any()
  return at
}

function wholeSpan(now: Date, days: number) {
  return { from: now.getTime() - days * 86_400_000, until: now.getTime() - 10 * 60_000 }
}

/** Most users come on working days, in the daytime. */
function isQuiet(at: number) {
  const moment = new Date(at)
  const hour = moment.getUTCHours()
  return hour < 4 || hour > 17 || moment.getUTCDay() % 6 === 0
}

/** `detail`: the new mode of the door. */
type Movement = { what: DoorChange; at: number; detail?: string }

/** How often a door is wedged open, and how often a user leaves by the exit button later. */
const chances = { wedged: 0.004, button: 0.1 } as const

type PassageInput = { at: number; heldOpenAfterSeconds: number; random: Random }

/** How a door moves after it is unlocked for a user. */
function passage({ at, heldOpenAfterSeconds, random }: PassageInput): Movement[] {
  const openedAt = at + random.between(700, 2_400)
  if (!random.chance(chances.wedged)) {
    return [
      { what: 'opened', at: openedAt },
      { what: 'closed', at: openedAt + random.between(2_500, 7_000) },
    ]
  }
  const heldAt = openedAt + heldOpenAfterSeconds * 1_000
  const closedAt = heldAt + random.between(9_000, 140_000)
  return [
    { what: 'opened', at: openedAt },
    { what: 'held', at: heldAt },
    { what: 'restored', at: closedAt },
    { what: 'closed', at: closedAt },
  ]
}

/** Users who entered through a door without an exit reader leave by its exit button at some time. */
function leaving({ at, random }: Pick<PassageInput, 'at' | 'random'>): Movement[] {
  if (!random.chance(chances.button)) return []
  const pressedAt = at + random.between(40, 1_500) * 1_000
  return [
    { what: 'exit_requested', at: pressedAt },
    { what: 'opened', at: pressedAt + random.between(500, 1_500) },
    { what: 'closed', at: pressedAt + random.between(3_000, 7_000) },
  ]
}

function forcing(at: number): Movement[] {
  const closedAt = at + 212_000
  return [
    { what: 'forced', at },
    { what: 'restored', at: closedAt },
    { what: 'closed', at: closedAt },
  ]
}

/** A user left by the exit button and wedged the door open. */
function wedging(at: number, heldOpenAfterSeconds: number): Movement[] {
  return [
    { what: 'exit_requested', at },
    { what: 'opened', at: at + 1_100 },
    { what: 'held', at: at + 1_100 + heldOpenAfterSeconds * 1_000 },
  ]
}
