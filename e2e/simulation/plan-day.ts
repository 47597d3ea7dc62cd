import { busyMs } from './day-scenes.ts'
import { anyPlace, type Change, planChanges } from './plan-changes.ts'
import { planVisits, type Visit } from './plan-visits.ts'
import type { Random } from './random.ts'

/** The parts of the estate that a plan names by their index. */
export type Sizes = { units: number; doorsPerUnit: number; cards: number; staff: number; servers: number }

type Happening =
  | Visit
  | { kind: 'forceDoor'; unit: number; door: number }
  | Change
  | { kind: 'unlock'; unit: number; door: number; timeToLiveSeconds: number }

type ServerFault =
  | {
      kind: 'crashServer'
      server: number
      afterBatches: number
      isSent: boolean
      isMachineGone: boolean
      offMs: number
    }
  | { kind: 'cutServerFromDatabase'; server: number; forMs: number }

export type UnitFault =
  | { kind: 'crashUnit'; unit: number; afterDiskUses: number; offMs: number }
  | { kind: 'cutCable'; unit: number; forMs: number }
  | { kind: 'breakConnections'; unit: number }
  | { kind: 'slowCable'; unit: number; maxDelayMs: number; forMs: number }
  | { kind: 'sendTwice' | 'shuffleRecords'; unit: number; forMs: number }
  | { kind: 'setClock'; unit: number; offsetMs: number; forMs: number }
  | { kind: 'fillDisk'; unit: number; forMs: number }

/** `at`: milliseconds of the busy time, which is the sum of the scenes. */
export type Planned = { at: number } & (Happening | ServerFault | UnitFault)

type Day = { sizes: Sizes; random: Random }

/** What users and faults do in a day; no fault lasts beyond its last scene. */
export function planDay({ sizes, random }: Day): Planned[] {
  const planned: Planned[] = [...planVisits(sizes, random), ...planChanges(sizes, random)]
  const at = () => random.between(0, busyMs - 1)
  const seconds = Math.ceil(busyMs / 1_000)
  for (let count = 0; count < seconds / 4; count++) planned.push({ at: at(), ...anyHappening(sizes, random) })
  for (let count = 0; count < seconds / 2.5; count++) {
    const begin = at()
    const fault = anyFault(sizes, { random, mostMs: busyMs - begin })
    planned.push({ at: begin, ...fault })
    // An operator tries to open a door that is out of reach.
    if (fault.kind === 'cutCable') planned.push({ ...anyUnlock(sizes, random), at: begin + 50, unit: fault.unit })
  }
  return planned.toSorted((one, other) => one.at - other.at)
}

function anyHappening(sizes: Sizes, random: Random): Happening {
  const unlock = anyUnlock(sizes, random)
  return random.pick<Happening>([unlock, unlock, { kind: 'forceDoor', ...anyPlace(sizes, random) }])
}

function anyUnlock(sizes: Sizes, random: Random) {
  return { kind: 'unlock', ...anyPlace(sizes, random), timeToLiveSeconds: random.between(1, 10) } as const
}

function anyFault(
  { units, servers }: Sizes,
  { random, mostMs }: { random: Random; mostMs: number },
): ServerFault | UnitFault {
  const unit = random.between(0, units - 1)
  const server = random.between(0, servers - 1)
  const forMs = random.between(0, mostMs)
  const isSent = random.chance(0.5)
  const isMachineGone = random.chance(0.5)
  const afterBatches = random.between(0, 25)
  return random.pick<ServerFault | UnitFault>([
    { kind: 'crashUnit', unit, afterDiskUses: random.between(0, 30), offMs: Math.min(forMs, 10_000) },
    { kind: 'crashUnit', unit, afterDiskUses: random.between(0, 10), offMs: 1 },
    { kind: 'crashServer', server, afterBatches, isSent, isMachineGone, offMs: Math.min(forMs, 15_000) },
    { kind: 'crashServer', server, afterBatches, isSent, isMachineGone, offMs: 1 },
    { kind: 'cutServerFromDatabase', server, forMs: Math.min(forMs, 8_000) },
    { kind: 'cutCable', unit, forMs },
    { kind: 'cutCable', unit, forMs: mostMs },
    { kind: 'breakConnections', unit },
    { kind: 'breakConnections', unit },
    { kind: 'slowCable', unit, maxDelayMs: random.between(50, 1_500), forMs },
    { kind: 'sendTwice', unit, forMs },
    { kind: 'shuffleRecords', unit, forMs },
    { kind: 'setClock', unit, offsetMs: random.between(-600_000, 600_000), forMs },
    { kind: 'fillDisk', unit, forMs: Math.min(forMs, 10_000) },
  ])
}
