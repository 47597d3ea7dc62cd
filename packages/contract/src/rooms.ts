/** Rooms of the real-time channel (specification §7): `{entity}:{accountRef}:*` and `{entity}:{accountRef}:{_id}`. */
export type Room = { entity: string; accountRef: string; item: string }

export function roomName({ entity, accountRef, item }: Room) {
  return `${entity}:${accountRef}:${item}`
}

/** The parts of a room's name, or nothing where it is not one. */
export function parseRoom(value: unknown): Room | undefined {
  if (typeof value !== 'string' || value.length > 200) return undefined
  const match = /^([a-z][A-Za-z]*):([a-z0-9-]+):(\*|[0-9a-f-]{36})$/.exec(value)
  const [, entity, accountRef, item] = match ?? []
  return entity && accountRef && item ? { entity, accountRef, item } : undefined
}
