import type { EventType } from '@portcullis/contract/event-types'
import type { PolicyIndex } from '@portcullis/domain/decision/gather-facts'
import type { Door } from '@portcullis/domain/policy'
import sql from 'sql-template-tag'
import type { Transaction } from '@portcullis/server/database/database'
import { updateDoorStates } from '@portcullis/server/ingest/door-states'
import type { EventRow } from '@portcullis/server/ingest/event-row'
import { insertEvents } from '@portcullis/server/ingest/store-events'
import type { Random } from '../random.ts'
import { troubles } from '../world/places.ts'
import { habitualSwipes, type PastSwipe } from './habits.ts'
import { forcedDoors, modeChanges, momentBefore, newcomer, outagesBefore } from '../world/happenings.ts'
import { forcing, leaving, type Movement, passage, wedging } from './passage.ts'
import { accountKeys } from '../world/account-keys.ts'
import { titlesOf } from './titles-of.ts'
import type { PolicyInTime } from './policy-in-time.ts'
import { type EventTeller, eventTeller } from './tell-events.ts'
import { unhappySwipes } from './unhappy-moments.ts'

type Asked = { policies: PolicyInTime; now: Date; random: Random }

export const daysOfPast = 30

const batch = 1_000
/** How long ago the door was opened that is still held. */
const heldMinutes = 37
/** Until a controller says that a door has come into another mode. */
const confirmedMs = 240

/** Fills in what happened in the last thirty days, as the gateway would have stored it. Answers how many events there are now. */
export async function fillPast(tx: Transaction, { policies, now, random }: Asked) {
  const outages = outagesBefore(now)
  const teller = eventTeller({ policies, outages, random, accounts: await accountKeys(tx), titles: await titlesOf(tx) })
  const { index } = policies.at(now.getTime())
  const asked = { policies, now, days: daysOfPast, random }
  const swipes = [...habitualSwipes(asked), ...unhappySwipes(asked), ...newcomerTurnedAway(index, now)]
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
  for (const events of eventsOf(past, { teller, policies, now, random })) await writer.add(events)
  const held = doorNamed(index, troubles.heldOpen.door)
  const opened = now.getTime() - heldMinutes * 60_000
  await writer.add(moved(held, wedging(opened, held.heldOpenAfterSeconds)))
  return writer.end()

  function presence({ unit: name, from, until }: (typeof outages)[number]) {
    const unit = index.policy.units.find((one) => one.name === name)?._id ?? ''
    return [teller.presence({ unit, at: from }, 'offline'), teller.presence({ unit, at: until }, 'online')]
  }

  function moved({ unit, unitDoor }: Door, movements: readonly Movement[]) {
    if (unit === null || unitDoor === null) return []
    return movements.map(({ what, at, detail }) => teller.door({ unit, unitDoor, at }, what, detail))
  }
}

type Told = { teller: EventTeller; policies: PolicyInTime; now: Date; random: Random }

/** Each decision, and how the door moved after it. */
function* eventsOf(swipes: readonly PastSwipe[], { teller, policies, now, random }: Told) {
  // A door that would shut only later has not been opened: what has happened is over.
  const over = (movements: Movement[]) => (lastAt(movements) < now.getTime() ? movements : [])
  const openUntil = new Map<string, number>()
  for (const swipe of swipes) {
    const { unit, unitDoor, at, direction } = swipe
    const access = teller.access(swipe)
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
    yield [access, ...movements.map((movement) => teller.door({ unit, unitDoor, at: movement.at }, movement.what))]
  }
}

const unknownDoor = { heldOpenAfterSeconds: 30, directions: { exit: false } }

function lastAt(movements: readonly Movement[]) {
  return movements.at(-1)?.at ?? 0
}

const moving: readonly EventType[] = ['door.opened', 'door.closed', 'door.held', 'door.forced']

/** Stores events in batches: while the database takes one, the next is told. */
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
      await updateDoorStates(tx, [...newest.values()])
      // Those at which nothing has happened are shut.
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
    const known = newest.get(event.door)
    if (!known || known.occurredAt <= event.occurredAt) newest.set(event.door, event)
  }
}

function newcomerTurnedAway(index: PolicyIndex, now: Date): PastSwipe[] {
  const { unit, unitDoor } = doorNamed(index, newcomer.door)
  if (unit === null || unitDoor === null) return []
  const { number } = newcomer
  return newcomer.turnedAwayAt(now).map((at) => ({ unit, unitDoor, number, direction: 'entry', at }))
}

function doorNamed({ policy }: PolicyIndex, name: string) {
  const door = policy.doors.find((one) => one.name === name)
  if (!door) throw new Error(`there is no door ${name}`)
  return door
}
