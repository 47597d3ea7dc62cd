import { z } from 'zod'
import { errorStatus } from './errors.ts'

/** Rooms of the real-time channel (specification §7): `{entity}:{accountRef}:*` and `{entity}:{accountRef}:{_id}`. */
export type Room = { entity: string; accountRef: string; item: string }

export function roomName({ entity, accountRef, item }: Room) {
  return `${entity}:${accountRef}:${item}`
}

/** The parts of a room's name, or undefined if it is invalid. */
export function parseRoom(value: unknown): Room | undefined {
  if (typeof value !== 'string' || value.length > 200) return undefined
  const match = /^([a-z][A-Za-z]*):([a-z0-9-]+):(\*|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(value)
  const [, entity, accountRef, item] = match ?? []
  return entity && accountRef && item ? { entity, accountRef, item } : undefined
}

/** The path of the real-time channel. */
export const roomsPath = '/primus'

/** The maximum number of rooms per socket. */
export const roomsPerSocket = 200

const room = z.string().max(200)
const position = z.string().max(50)
const code = z.string().refine((text): text is keyof typeof errorStatus => Object.hasOwn(errorStatus, text))
/** An opaque token for what a user can see in a room; if it changes, everything must be read again. */
const scope = z.string().max(50)

/**
 * Follows the item in every `{entity}:save` and `{entity}:remove`: the account of the room, and the position in the
 * order of all changes, which a browser sends back after a reconnect.
 */
export const messageMeta = z.object({ position, account: z.string() })

/** Whether a position comes after another. */
export function isLater(one: string, other: string) {
  const [[xid = 0, id = 0], [otherXid = 0, otherId = 0]] = [one.split('.').map(Number), other.split('.').map(Number)]
  return xid === otherXid ? id > otherId : xid > otherXid
}

/** The server's other messages: the event and its content. */
export const roomNotice = z.discriminatedUnion('notice', [
  /** All changes up to this position have been sent. Also means that the channel delivers again. */
  z.object({ notice: z.literal('position'), data: position }),
  /** The channel is connected but cannot deliver changes at the moment; they follow later. */
  z.object({ notice: z.literal('stalled') }),
  /** Data of this room is out of date and must be read again; `scope` applies from now on. */
  z.object({ notice: z.literal('refetch'), data: z.object({ room, scope }) }),
  /** The client no longer has access to this room. */
  z.object({ notice: z.literal('left'), data: z.object({ room, code }) }),
  /** The user's rights or visible accounts have changed; the client must read the current user again. */
  z.object({ notice: z.literal('rights') }),
  /** The session has ended; the server closes the connection after this. */
  z.object({ notice: z.literal('ended'), data: z.object({ code }) }),
])

export type RoomNotice = z.output<typeof roomNotice>

/**
 * Joins rooms and sends the changes in them since the last known position, oldest first. A room that was joined before
 * carries its `scope`. The first call of a connection names all rooms that the client was in.
 */
export const resume = {
  event: 'resume',
  input: z.strictObject({
    since: position.nullable(),
    rooms: z.array(z.strictObject({ room: z.unknown(), scope: scope.nullable() })).max(roomsPerSocket),
  }),
  /**
   * In the order of the request. `current`: all missed changes were sent; `joined`: the same for a client that reads
   * the room for the first time; `refetch`: too many changes were missed, or the earlier state is unknown.
   */
  output: z.union([
    z.object({
      ok: z.literal(true),
      position,
      rooms: z.array(
        z.union([
          z.object({ scope, is: z.enum(['current', 'joined', 'refetch']) }),
          z.object({ error: z.object({ code }) }),
        ]),
      ),
    }),
    z.object({ error: z.object({ code }) }),
  ]),
} as const

export type ResumeAnswer = z.output<typeof resume.output>
