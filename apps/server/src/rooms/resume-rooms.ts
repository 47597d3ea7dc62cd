import { resume, type ResumeAnswer } from '@portcullis/contract/rooms'
import type { z } from 'zod'
import type { CommittedChange } from '../changes/committed-change.ts'
import { missedChanges } from '../changes/missed-changes.ts'
import { comparePositions, isAfter, type Position, positionText, readPosition } from '../changes/position.ts'
import type { Database } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import { parseInput } from '../input/parse-input.ts'
import type { JoinedRoom } from './join-room.ts'
import { messagesOf } from './messages.ts'
import type { Teller } from './teller.ts'

/** Whoever missed more, of one room or of all together, reads anew: that is less work for everybody. */
const mostMissed = 1_000
/** Another server may have been a moment ahead of this one. */
const patienceMs = 3_000
const lookAgainMs = 20

type Parts = {
  database: Database
  teller: Teller
  /** Another number than before: rights have changed since. */
  generation: () => number
  /** Who may join what: a room for each, or why not. */
  check: (rooms: readonly unknown[]) => Promise<(JoinedRoom | AppError)[]>
  enter: (room: JoinedRoom) => void
  emit: (event: string, ...contents: unknown[]) => void
}

type Asked = { body: unknown; answer: (result: ResumeAnswer) => void }

/**
 * Lets somebody into rooms after telling them what they missed there: in order, without a gap and without a message twice, for
 * they enter at the very moment at which nothing is left to be told. `answer` is called in that moment too, so that its
 * position stands in one order with the messages around it.
 */
export async function resumeRooms(parts: Parts, { body, answer }: Asked) {
  const { teller, generation, check, enter, emit } = parts
  const { since, rooms } = parseInput(resume.input, body)
  const names = rooms.map(({ room }) => room)
  let position = await startingPoint(teller, since)
  let checkedIn = generation()
  let outcomes = await check(names)
  /** The rooms of which everything since then is told. */
  let current = position ? roomsSeenAlike(rooms, outcomes) : []

  for (;;) {
    if (teller.isTelling) {
      await teller.told()
      continue
    }
    if (checkedIn !== generation()) {
      checkedIn = generation()
      outcomes = await check(names)
      current = roomsSeenAlike(rooms, outcomes).filter(({ name }) => current.some((room) => room.name === name))
      continue
    }
    const until = teller.reached
    if (!position || current.length === 0 || !isAfter(until, position)) break
    const missed = await readMissed(parts.database, { rooms: current, after: position, until })
    for (const { event, contents } of missed.messages) emit(event, ...contents)
    current = missed.rooms
    position = until
  }

  for (const room of outcomes.filter(isRoom)) enter(room)
  answer({
    ok: true,
    position: positionText(teller.reached),
    rooms: outcomes.map((outcome, index) => {
      if (!isRoom(outcome)) return { error: { code: outcome.code } }
      const told = rooms[index]?.sight === null ? 'joined' : 'current'
      return { sight: outcome.sight, is: current.includes(outcome) ? told : 'refetch' }
    }),
  })
}

/** Where somebody stood before, if that is a place that this server knows, or comes to within a moment. */
async function startingPoint(teller: Teller, since: string | null) {
  const position = since === null ? undefined : readPosition(since)
  const end = performance.now() + patienceMs
  while (position && isAfter(position, teller.reached)) {
    if (performance.now() > end) return undefined
    await new Promise((resolve) => setTimeout(resolve, lookAgainMs))
  }
  return position
}

type AskedRooms = z.output<typeof resume.input>['rooms']

/** Who has not been in a room has nothing of it that they could have seen otherwise. */
function roomsSeenAlike(asked: AskedRooms, outcomes: readonly (JoinedRoom | AppError)[]) {
  return outcomes
    .filter(isRoom)
    .filter((room) =>
      asked.some(({ room: name, sight }) => name === room.name && (sight === null || sight === room.sight)),
    )
}

function isRoom(outcome: JoinedRoom | AppError): outcome is JoinedRoom {
  return !(outcome instanceof AppError)
}

type Missed = { rooms: readonly JoinedRoom[]; after: Position; until: Position }

/** What was missed in rooms, and those of them for which that is all; of the others nothing is told. */
async function readMissed(database: Database, { rooms, after, until }: Missed) {
  const followed = rooms.map(({ collection, accountKey, item }) => ({
    account: accountKey,
    collection: collection.name,
    item: item === '*' ? null : item,
  }))
  const missed = await missedChanges(database, { followed, after, until, most: mostMissed })
  const told = new Map<string, CommittedChange>()
  const whole: JoinedRoom[] = []
  for (const [index, room] of rooms.entries()) {
    const changes = missed?.[index] ?? 'too_many'
    if (changes === 'too_many' || told.size + changes.length > mostMissed) continue
    if (changes.some(({ action }) => action === 'reread')) continue
    for (const change of changes) told.set(positionText(change), change)
    whole.push(room)
  }
  const messages = await messagesOf(database, {
    changes: [...told.values()].toSorted(comparePositions),
    roomsOf: ({ account, collection, item }) =>
      whole.filter(
        (room) =>
          room.accountKey === account &&
          room.collection.name === collection &&
          (room.item === '*' || room.item === item),
      ),
  })
  return { messages, rooms: whole }
}
