import { z } from 'zod'

/** A place in the outbox: a transaction, and a row of it. A client at this position has received everything up to it. */
export const position = z.object({ xid: z.int(), id: z.int() })
export type Position = z.output<typeof position>

export function isAfter(one: Position, other: Position) {
  return comparePositions(one, other) > 0
}

/** For sorting: the earlier position first. */
export function comparePositions(one: Position, other: Position) {
  return one.xid === other.xid ? one.id - other.id : one.xid - other.xid
}

/** A position as sent to a browser, which only ever returns it. */
export function positionText({ xid, id }: Position) {
  return `${xid}.${id}`
}

export function readPosition(text: string): Position | undefined {
  const [, xid, id] = /^(\d+)\.(\d+)$/.exec(text) ?? []
  const parsed = position.safeParse({ xid: Number(xid), id: Number(id) })
  return parsed.success ? parsed.data : undefined
}
