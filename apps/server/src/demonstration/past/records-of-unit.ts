import type { UnitRecord } from '@portcullis/contract/unit-protocol/records'
import { compileUnit } from '@portcullis/domain/compile-unit'
import { decideOnUnit } from '@portcullis/domain/decide-on-unit'
import type { PolicyIndex } from '@portcullis/domain/gather-facts'
import type { UnitConfig } from '@portcullis/domain/unit-config'
import type { Random } from '../random.ts'
import type { PastSwipe } from './week-of-swipes.ts'

export type PastRecord = Extract<UnitRecord, { type: 'access' | 'door' }>

/** The configuration that a unit decides from; numbers stand in it as they are. */
export function plainConfig(index: PolicyIndex, { unit, at }: { unit: string; at: number }): UnitConfig {
  return compileUnit({ index, unit, at, hashNumber: (number) => number })
}

type Asked = {
  swipes: readonly PastSwipe[]
  forced: readonly { unitDoor: number; at: number }[]
  configAt: (at: number, number: string) => UnitConfig
  random: Random
}

/** What a unit would have recorded: its own decisions, and how its doors moved after them. */
export function recordsOfUnit({ swipes, forced, configAt, random }: Asked): PastRecord[] {
  const records: PastRecord[] = []
  const openUntil = new Map<number, number>()
  for (const { at, unitDoor, number, direction } of swipes.toSorted((a, b) => a.at - b.at)) {
    const config = configAt(at, number)
    const { verdict, reason } = decideOnUnit(config, { unitDoor, credentialKey: number, direction, at })
    const outcome = verdict === 'grant' ? ('grant' as const) : ('deny' as const)
    records.push({ ...record(at, unitDoor), type: 'access', direction, kind: 'card', number, verdict: outcome, reason })
    if (outcome === 'deny' || (openUntil.get(unitDoor) ?? 0) > at) continue
    const heldAfterMs = (config.doors[unitDoor]?.heldOpenAfterSeconds ?? 30) * 1_000
    const movement = passage({ at, unitDoor, heldAfterMs, random })
    records.push(...movement)
    openUntil.set(unitDoor, Date.parse(movement.at(-1)?.at ?? ''))
  }
  for (const { unitDoor, at } of forced) {
    records.push(
      moved(unitDoor, 'forced', at),
      moved(unitDoor, 'restored', at + 212_000),
      moved(unitDoor, 'closed', at + 212_000),
    )
  }
  return records.sort((a, b) => a.at.localeCompare(b.at))
}

type Passage = { at: number; unitDoor: number; heldAfterMs: number; random: Random }

function passage({ at, unitDoor, heldAfterMs, random }: Passage): PastRecord[] {
  const openedAt = at + random.between(700, 2_400)
  const opened = moved(unitDoor, 'opened', openedAt)
  if (!random.chance(wedged)) return [opened, moved(unitDoor, 'closed', openedAt + random.between(2_500, 7_000))]
  const closedAt = openedAt + heldAfterMs + random.between(9_000, 140_000)
  return [
    opened,
    moved(unitDoor, 'held', openedAt + heldAfterMs),
    moved(unitDoor, 'restored', closedAt),
    moved(unitDoor, 'closed', closedAt),
  ]
}

const wedged = 0.007

function moved(unitDoor: number, what: Extract<PastRecord, { type: 'door' }>['what'], at: number): PastRecord {
  return { ...record(at, unitDoor), type: 'door', what }
}

function record(at: number, door: number) {
  return { at: new Date(at).toISOString(), door, configVersion: null }
}
