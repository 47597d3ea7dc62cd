import { mkdtemp, rm } from 'node:fs/promises'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Database } from '@portcullis/server/database/database'
import { loginsFrom } from '@portcullis/server/database/logins'
import { Administrator } from './administrator.ts'
import { DatabaseGate } from './database-gate.ts'
import { sceneOf, timeAt } from './day-scenes.ts'
import type { Engine } from './engine.ts'
import { firstRights, furnish } from './estate.ts'
import { type Planned, planDay } from './plan-day.ts'
import { Random } from './random.ts'
import { RightsHistory } from './rights-history.ts'
import { SimulatedClock } from './simulated-clock.ts'
import { installDisks, SimulatedDisk, uninstallDisks } from './simulated-disk.ts'
import { Cable } from './simulated-network.ts'
import { SimulatedServer } from './simulated-server.ts'
import { SimulatedUnit } from './simulated-unit.ts'
import { ObservedRecords } from './observed-records.ts'
import { SimulatedDay } from './simulated-day.ts'

const estateSizes = { units: 3, doorsPerUnit: 3, staff: 4, cards: 6 }
/** Before the first scene, units enrol. */
const startsAt = timeAt(0) - 10_000
/** The cards of visitors end at the peak of the morning, and between two scenes. */
const visitorsUntil = [timeAt(sceneOf('peak').from + 2_500), sceneOf('late').startsAt - 60_000]

type DayOptions = { seed: number; report: (line: string) => void }
export type DayResult = {
  faults: string[]
  /** How long it took after the last fault until everything was in sync. */
  syncedAfterMs: number | undefined
  counts: Record<string, number>
}

/** Simulates the day of a seed, and returns the invariants that did not hold. */
export async function runDay(engine: Engine, { seed, report }: DayOptions): Promise<DayResult> {
  const random = new Random(seed)
  const sizes = { ...estateSizes, servers: random.between(1, 2) }
  const plan = planDay({ sizes, random: random.branch() })
  await engine.empty()
  engine.setTime(startsAt)
  const { sessions } = engine
  const clock = new SimulatedClock({ startsAt, onJump: engine.setTime, answered: () => sessions.answered() })
  const chance = random.branch()
  clock.install(() => chance.next())
  try {
    return await simulate({ engine, clock, random }, { plan, report, servers: sizes.servers })
  } finally {
    uninstallDisks()
    clock.uninstall()
  }
}

type PlannedDay = Pick<DayOptions, 'report'> & { plan: Planned[]; servers: number }
type World = { engine: Engine; clock: SimulatedClock; random: Random }

async function simulate({ engine, clock, random }: World, { plan, report, servers: count }: PlannedDay) {
  const { databaseUrl, secretKey, sessions } = engine
  const dir = await mkdtemp(join(tmpdir(), 'simulated-day-'))
  const gate = await DatabaseGate.open(sessions)
  const logins = loginsFrom({ databaseUrl: gate.through(databaseUrl), secretKey })
  const database = new Database({ logins, connections: 2 })
  const estate = await furnish(database, { ...estateSizes, visitorsUntil })
  const administrator = await Administrator.open({ database, logins, secretKey, estate, random: random.branch() })
  const { staff } = estate
  const rights = new RightsHistory({ first: firstRights({ staff, visitorsUntil }), staff })
  const observed = new ObservedRecords()
  const units = connectedUnits({ serials: estate.units.map(({ serial }) => serial), dir, observed, random, pick })
  const cables = units.map(({ cable }) => cable)
  const servers = Array.from({ length: count }, () => new SimulatedServer({ engine, cables }))
  try {
    const day = new SimulatedDay({ clock, database, estate, administrator, rights, servers, units, observed, report })
    await day.open()
    await day.run(plan)
    const syncedAfterMs = await day.settle()
    return { faults: day.faults, syncedAfterMs, counts: day.counts }
  } finally {
    await clock.runUntilDone(end(), 600_000)
    gate.close()
    await rm(dir, { recursive: true, force: true })
  }

  /** Where a load balancer would send a unit. */
  function pick() {
    const running = servers.flatMap(({ http }) => http ?? [])
    return running.length > 0 ? random.pick(running) : undefined
  }

  async function end() {
    await Promise.all(units.map(({ unit }) => unit.stop()))
    for (const server of servers) server.crash({ isMachineGone: false })
    await Promise.all(servers.map((server) => server.disposed()))
    await administrator.close()
    await database.close()
  }
}

type UnitsInput = {
  serials: readonly string[]
  dir: string
  observed: ObservedRecords
  random: Random
  pick: () => Server | undefined
}

/** A unit for each serial number, with a cable and a disk of its own. */
function connectedUnits({ serials, dir, observed, random, pick }: UnitsInput) {
  const disks = new Map<string, SimulatedDisk>()
  const units = serials.map((serial, index) => {
    const folder = join(dir, serial)
    const disk = new SimulatedDisk(random.branch())
    disk.onSynced = (path, bytes) => observed.noteSynced(path, bytes)
    disks.set(folder, disk)
    const cable = new Cable({ address: `10.0.0.${index + 1}`, random: random.branch(), pick })
    return new SimulatedUnit({ disk, cable, unit: { dir: folder, serial, journal: (entry) => observed.note(entry) } })
  })
  installDisks(disks)
  return units
}
