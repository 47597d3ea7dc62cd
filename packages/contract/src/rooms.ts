import { z } from 'zod'
import { errorStatus } from './errors.ts'

/** Rooms of the real-time channel (specification §7): `{entity}:{accountRef}:*` and `{entity}:{accountRef}:{_id}`. */
export type Room = { entity: string; accountRef: string; item: string }

export function roomName({ entity, accountRef, item }: Room) {
  return `${entity}:${accountRef}:${item}`
}

/** The parts of a room's name, or nothing where it is not one. */
export function parseRoom(value: unknown): Room | undefined {
  if (typeof value !== 'string' || value.length > 200) return undefined
  const match = /^([a-z][A-Za-z]*):([a-z0-9-]+):(\*|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(value)
  const [, entity, accountRef, item] = match ?? []
  return entity && accountRef && item ? { entity, accountRef, item } : undefined
}

/** At most this many rooms a socket. */
export const roomsPerSocket = 200

const room = z.string().max(200)
const position = z.string().max(50)
const code = z.string().refine((text): text is keyof typeof errorStatus => Object.hasOwn(errorStatus, text))
/** What somebody sees of a room, as a word that says nothing else: another word means that everything has to be read anew. */
const sight = z.string().max(50)

/**
 * What comes with every `{entity}:save` and `{entity}:remove`, after the item: the account of the room, and the place in the
 * order of all changes, which a browser gives back after a reconnect.
 */
export const messageMeta = z.object({ position, account: z.string() })

/** Whether a position comes after another. */
export function isLater(one: string, other: string) {
  const [[xid = 0, id = 0], [otherXid = 0, otherId = 0]] = [one.split('.').map(Number), other.split('.').map(Number)]
  return xid === otherXid ? id > otherId : xid > otherXid
}

/** What the server says besides: the event, and what comes with it. */
export const roomNotice = z.discriminatedUnion('notice', [
  /** Everything up to here has been told; also: the channel delivers again. */
  z.object({ notice: z.literal('position'), said: position }),
  /** The channel is up, but what happens can't be told at the moment; it will be. */
  z.object({ notice: z.literal('stalled') }),
  /** What was read of this room is old: it is to be read anew, and is seen so from now on. */
  z.object({ notice: z.literal('refetch'), said: z.object({ room, sight }) }),
  /** This room is closed to us from now on. */
  z.object({ notice: z.literal('left'), said: z.object({ room, code }) }),
  /** What one may do, or where, or which accounts one sees, has changed: who one is has to be asked again. */
  z.object({ notice: z.literal('rights') }),
  /** The session is over; the connection is closed after this. */
  z.object({ notice: z.literal('ended'), said: z.object({ code }) }),
])

export type RoomNotice = z.output<typeof roomNotice>

/**
 * Joins rooms and tells what was missed in them since the last position heard, oldest first. A room that was joined before
 * carries its `sight`. The first call of a connection names all rooms that one was in.
 */
export const resume = {
  event: 'resume',
  input: z.strictObject({
    since: position.nullable(),
    rooms: z.array(z.strictObject({ room: z.unknown(), sight: sight.nullable() })).max(roomsPerSocket),
  }),
  /**
   * In the order asked for. `current`: everything was told; `joined`: the same for who reads the room now for the first time;
   * `refetch`: too much was missed, or nothing is known of before.
   */
  output: z.union([
    z.object({
      ok: z.literal(true),
      position,
      rooms: z.array(
        z.union([
          z.object({ sight, is: z.enum(['current', 'joined', 'refetch']) }),
          z.object({ error: z.object({ code }) }),
        ]),
      ),
    }),
    z.object({ error: z.object({ code }) }),
  ]),
} as const

export type ResumeAnswer = z.output<typeof resume.output>
