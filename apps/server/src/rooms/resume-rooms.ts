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
import type { Publisher } from './publisher.ts'

/** A client that missed more than this, in one room or in all together, reads the list again: that is less work for both sides. */
const maxMissed = 1_000
/** Another server may have been a moment ahead of this one. */
const timeoutMs = 3_000
const recheckMs = 20

type ResumeRoomsOptions = {
  database: Database
  publisher: Publisher
  /** A new number: rights have changed since. */
  generation: () => number
  /** The rooms that each client may join, or why not. */
  check: (rooms: readonly unknown[]) => Promise<(JoinedRoom | AppError)[]>
  enter: (room: JoinedRoom) => void
  emit: (event: string, ...contents: unknown[]) => void
}

type ResumeRoomsInput = { body: unknown; answer: (result: ResumeAnswer) => void }

/**
 * Sends a client its missed messages and lets it join the rooms at the moment when all are sent, so that no message is
 * missing or repeated. `answer` is called at the same moment, so that its position fits the messages around it.
 */
export async function resumeRooms(parts: ResumeRoomsOptions, { body, answer }: ResumeRoomsInput) {
  const { publisher, generation, check, enter, emit } = parts
  const { since, rooms } = parseInput(resume.input, body)
  const names = rooms.map(({ room }) => room)
  let position = await startingPoint(publisher, since)
  let checkedIn = generation()
  let outcomes = await check(names)
  /** The rooms whose missed messages are all sent. */
  let current = position ? roomsWithSameScope(rooms, outcomes) : []

  for (;;) {
    if (publisher.isPublishing) {
      await publisher.published()
      continue
    }
    if (checkedIn !== generation()) {
      checkedIn = generation()
      outcomes = await check(names)
      current = roomsWithSameScope(rooms, outcomes).filter(({ name }) => current.some((room) => room.name === name))
      continue
    }
    const until = publisher.reached
    if (!position || current.length === 0 || !isAfter(until, position)) break
    const missed = await readMissed(parts.database, { rooms: current, after: position, until })
    for (const { event, contents } of missed.messages) emit(event, ...contents)
    current = missed.rooms
    position = until
  }

  for (const room of outcomes.filter(isRoom)) enter(room)
  answer({
    ok: true,
    position: positionText(publisher.reached),
    rooms: outcomes.map((outcome, index) => {
      if (!isRoom(outcome)) return { error: { code: outcome.code } }
      const state = rooms[index]?.scope === null ? 'joined' : 'current'
      return { scope: outcome.scope, is: current.includes(outcome) ? state : 'refetch' }
    }),
  })
}

/** The client's previous position, if this server knows it or reaches it within a moment. */
async function startingPoint(publisher: Publisher, since: string | null) {
  const position = since === null ? undefined : readPosition(since)
  const end = performance.now() + timeoutMs
  while (position && isAfter(position, publisher.reached)) {
    if (performance.now() > end) return undefined
    await new Promise((resolve) => setTimeout(resolve, recheckMs))
  }
  return position
}

type RequestedRooms = z.output<typeof resume.input>['rooms']

/** A client that was not in a room has no items of it that it could have seen otherwise. */
function roomsWithSameScope(requested: RequestedRooms, outcomes: readonly (JoinedRoom | AppError)[]) {
  return outcomes
    .filter(isRoom)
    .filter((room) =>
      requested.some(({ room: name, scope }) => name === room.name && (scope === null || scope === room.scope)),
    )
}

function isRoom(outcome: JoinedRoom | AppError): outcome is JoinedRoom {
  return !(outcome instanceof AppError)
}

type Missed = { rooms: readonly JoinedRoom[]; after: Position; until: Position }

/** The missed messages of rooms, and the rooms for which they are complete; for the others nothing is sent. */
async function readMissed(database: Database, { rooms, after, until }: Missed) {
  const followed = rooms.map(({ collection, accountKey, item }) => ({
    account: accountKey,
    collection: collection.name,
    item: item === '*' ? null : item,
  }))
  const missed = await missedChanges(database, { followed, after, until, most: maxMissed })
  const byPosition = new Map<string, CommittedChange>()
  const whole: JoinedRoom[] = []
  for (const [index, room] of rooms.entries()) {
    const changes = missed?.[index] ?? 'too_many'
    if (changes === 'too_many' || byPosition.size + changes.length > maxMissed) continue
    if (changes.some(({ action }) => action === 'reread')) continue
    for (const change of changes) byPosition.set(positionText(change), change)
    whole.push(room)
  }
  const messages = await messagesOf(database, {
    changes: [...byPosition.values()].toSorted(comparePositions),
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
