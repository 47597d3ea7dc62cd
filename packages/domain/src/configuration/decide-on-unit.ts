import {
  type DoorFacts,
  type HolderFacts,
  type RuleFacts,
  type ShownAtDoor,
  shownAtDoor,
} from '../decision/access-facts.ts'
import { type Decision, decideAccess } from '../decision/decide-access.ts'
import { modeAt } from '../decision/door-mode.ts'
import type { Direction, DoorMode } from '../policy.ts'
import type { UnitConfig, UnitCredential, UnitDoor, UnitHolder } from './unit-config.ts'

export type DecideOnUnit = ShownAtDoor & {
  readonly unitDoor: number
  /** The hash of the presented number. */
  readonly credentialKey: string
  readonly direction: Direction
  /** Epoch milliseconds. */
  readonly at: number
  /** The door's mode now; absent: as configured. */
  readonly mode?: DoorMode
}

/**
 * A controller's own decision: look-ups in its configuration, then the same checks as on the server. Its reason may
 * differ: lost cards are unknown to it, as are users without a rule at any of its doors.
 */
export function decideOnUnit(config: UnitConfig, attempt: DecideOnUnit): Decision {
  const number = `${attempt.unitDoor}`
  const door = own(config.doors, number)
  const credential = own(config.credentials, attempt.credentialKey)
  const holder = credential && own(config.holders, credential.holder)
  const rules = holder && own(holder.doors, number)
  return decideAccess({
    at: attempt.at,
    direction: attempt.direction,
    door: door && doorFacts(config, door, attempt.mode ?? modeAt(door, attempt.at)),
    calendar: door && own(config.sites, door.site),
    credential: credential && credentialFacts(credential, holder),
    holder: holder && holderFacts(holder),
    rules: { allow: ruleFacts(config, rules?.allow), deny: ruleFacts(config, rules?.deny) },
    ...shownAtDoor(attempt),
  })
}

function credentialFacts({ _id, validFrom, validUntil }: UnitCredential, holder: UnitHolder | undefined) {
  return { _id, status: 'active', assigned: holder !== undefined, validFrom, validUntil } as const
}

function doorFacts(config: UnitConfig, door: UnitDoor, mode: DoorMode): DoorFacts {
  const { _id, name, enabled, requiresPin, requiresRemoteAuth } = door
  return { _id, name, enabled, unitInService: config.inService, mode, requiresPin, requiresRemoteAuth }
}

function holderFacts({ user, validFrom, validUntil, recertification }: UnitHolder): HolderFacts {
  return { _id: user, status: 'active', validFrom, validUntil, recertification }
}

function ruleFacts(config: UnitConfig, ids: readonly string[] = []): RuleFacts[] {
  return ids.flatMap((_id) => {
    const rule = own(config.rules, _id)
    if (rule === undefined) return []
    const { direction, adhoc, schedule } = rule
    const table = schedule === null ? null : (own(config.schedules, schedule) ?? null)
    return [{ _id, direction, adhoc, schedule: schedule === null ? null : { _id: schedule, table } }]
  })
}

// Input from a reader must not match inherited properties such as `__proto__`.
function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}
