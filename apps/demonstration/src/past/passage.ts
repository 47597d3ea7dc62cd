import type { Random } from '../random.ts'
import type { DoorHappening } from './tell-events.ts'

/** `detail`: the mode that a door has come into. */
export type Movement = { what: DoorHappening; at: number; detail?: string }

/** How often a door is wedged open behind somebody, and how often somebody leaves by the button later on. */
const chances = { wedged: 0.004, button: 0.1 } as const

type Asked = { at: number; heldOpenAfterSeconds: number; random: Random }

/** How a door moves once it has been unlocked for somebody. */
export function passage({ at, heldOpenAfterSeconds, random }: Asked): Movement[] {
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

/** Who came in where there is no reader on the way out leaves by the button, some time. */
export function leaving({ at, random }: Pick<Asked, 'at' | 'random'>): Movement[] {
  if (!random.chance(chances.button)) return []
  const pressedAt = at + random.between(40, 1_500) * 1_000
  return [
    { what: 'exit_requested', at: pressedAt },
    { what: 'opened', at: pressedAt + random.between(500, 1_500) },
    { what: 'closed', at: pressedAt + random.between(3_000, 7_000) },
  ]
}

export function forcing(at: number): Movement[] {
  const closedAt = at + 212_000
  return [
    { what: 'forced', at },
    { what: 'restored', at: closedAt },
    { what: 'closed', at: closedAt },
  ]
}

/** Somebody left by the button and put a wedge under the door. */
export function wedging(at: number, heldOpenAfterSeconds: number): Movement[] {
  return [
    { what: 'exit_requested', at },
    { what: 'opened', at: at + 1_100 },
    { what: 'held', at: at + 1_100 + heldOpenAfterSeconds * 1_000 },
  ]
}
