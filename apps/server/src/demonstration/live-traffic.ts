import type { ControlClient } from '@portcullis/controllers/control-client'
import type { PolicyIndex } from '@portcullis/domain/gather-facts'
import type { FastifyBaseLogger } from 'fastify'
import type { Policies } from '../policy/policies.ts'
import { LiveSwipes } from './live-swipes.ts'
import { systemRandom } from './random.ts'
import type { Swipe } from './swipe.ts'
import type { FleetUnit } from './virtual-fleet.ts'

type Parts = {
  policies: Policies
  fleet: readonly FleetUnit[]
  /** Absent while the virtual controllers are not there. */
  control: () => ControlClient | undefined
  log: FastifyBaseLogger
}

const paceMs = { least: 2_000, most: 4_000 } as const
/** People who arrive together. */
const together = { chance: 0.12, ms: 900 } as const
/** How often a door is wedged open behind somebody, and how often somebody leaves by the button. */
const chances = { held: 1 / 70, button: 1 / 30 } as const
/** A person takes a second to open the door. */
const openedMs = 2_000

/** Presents cards at the virtual controllers from now on, one every few seconds. */
export function startTraffic({ policies, fleet, control, log }: Parts) {
  const random = systemRandom()
  const people = new LiveSwipes(random)
  const timers = new Set<NodeJS.Timeout>()
  let isStopped = false
  presentLater()

  return {
    stop() {
      isStopped = true
      for (const timer of timers) clearTimeout(timer)
    },
  }

  function presentLater() {
    const ms = random.chance(together.chance) ? together.ms : random.between(paceMs.least, paceMs.most)
    after(ms, () => present().finally(presentLater))
  }

  async function present() {
    const units = control()
    const [first] = fleet
    if (!units || !first) return
    const { index } = await policies.ofAccount(first.account)
    const swipe = people.next(index, Date.now())
    const serial = fleet.find(({ unit }) => unit === swipe?.unit)?.serial
    if (!swipe || serial === undefined) return
    // A unit that has no configuration yet, or was switched off by somebody, would turn everybody away.
    const { running } = await units.get(serial)
    if (!running || running.appliedVersion === null) return
    const { unitDoor: door, number, direction } = swipe
    const { verdict } = await units.present(serial, { door, number, direction })
    if (verdict === 'grant' && random.chance(chances.held))
      after(openedMs, () => wedge(units, { serial, swipe, index }))
    if (verdict === 'grant' && random.chance(chances.button)) {
      after(random.between(9_000, 30_000), () => units.operateDoor(serial, { door, what: 'exit' }))
    }
  }

  /** Holds a door open for longer than it may be, then lets it go. */
  async function wedge(units: ControlClient, { serial, swipe, index }: Wedged) {
    const { unit, unitDoor: door } = swipe
    await units.operateDoor(serial, { door, what: 'held' })
    const wired = index.doorsOfUnit.get(unit)?.find(({ unitDoor }) => unitDoor === door)
    const heldMs = ((wired?.heldOpenAfterSeconds ?? 30) + random.between(12, 60)) * 1_000
    after(heldMs, () => units.operateDoor(serial, { door, what: 'closed' }))
  }

  function after(ms: number, work: () => Promise<unknown>) {
    if (isStopped) return
    const timer = setTimeout(() => {
      timers.delete(timer)
      // The process may be starting again; others will come.
      work().catch((error: unknown) => log.debug({ err: error }, 'a card could not be presented'))
    }, ms)
    timers.add(timer)
  }
}

type Wedged = { serial: string; swipe: Swipe; index: PolicyIndex }
