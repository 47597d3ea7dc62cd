import { isOpenTo, isUsable, type Mode, type Rights } from './rights.ts'

/** `version`: of the policy, or of the door's mode; infinite until the change has one, so that no unit has confirmed it. */
type Since<T> = { version: number; value: T }
type Confirmed = { policy: number; mode: number }
type Attempt = { card: number; unit: number; door: string; at: number }

const noMode: Mode = { mode: 'normal', until: null }

/** All rights and modes of a day. A unit may decide by those that it has confirmed, and by all later ones. */
export class RightsHistory {
  readonly #staff: number
  readonly #rights: Since<Rights>[]
  readonly #modes = new Map<string, Since<Mode>[]>()

  constructor({ first, staff }: { first: Rights; staff: number }) {
    this.#rights = [{ version: 0, value: first }]
    this.#staff = staff
  }

  get current() {
    return latest(this.#rights)
  }

  /** Before a change is made; its version is set after it. */
  add(rights: Rights) {
    return addTo(this.#rights, rights)
  }

  addMode(door: string, mode: Mode) {
    const modes = this.#modes.get(door) ?? [{ version: 0, value: noMode }]
    this.#modes.set(door, modes)
    return addTo(modes, mode)
  }

  /** Whether a unit that has confirmed these versions may open the door to the card. */
  mayOpen(attempt: Attempt, { policy, mode }: Confirmed) {
    const { door, at } = attempt
    const modes = this.#modes.get(door) ?? [{ version: 0, value: noMode }]
    return (
      since(this.#rights, policy).some((rights) => isOpenTo(rights, { ...attempt, staff: this.#staff })) &&
      since(modes, mode).some((value) => isUsable(value, at))
    )
  }
}

function addTo<T>(list: Since<T>[], value: T) {
  const added = { version: Infinity, value }
  list.push(added)
  return added
}

function latest<T>(list: readonly Since<T>[]): T {
  const last = list.at(-1)
  if (!last) throw new Error('There is nothing.')
  return last.value
}

function since<T>(list: readonly Since<T>[], version: number) {
  const first = list.findLastIndex((each) => each.version <= version)
  return list.slice(Math.max(0, first)).map(({ value }) => value)
}
