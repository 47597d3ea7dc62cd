import type { ControlClient } from '@portcullis/controllers/control-client'
import type { PolicyIndex } from '@portcullis/domain/decision/gather-facts'
import type { FastifyBaseLogger } from 'fastify'
import type { Policies } from '@portcullis/server/policy/policies'
import { listsOf } from '../policy-lists.ts'
import { systemRandom } from '../random.ts'
import type { Swipe } from '../swipe.ts'
import { troubles } from '../world/places.ts'
import { fleetPolicy } from './fleet-policy.ts'
import { LiveSwipes } from './live-swipes.ts'
import { paceAt } from './pace.ts'
import { presentedKind } from './presented-kind.ts'
import { startTimers } from './timers.ts'
import type { FleetUnit } from './virtual-fleet.ts'

type StartTrafficOptions = {
  policies: Policies
  fleet: readonly FleetUnit[]
  /** Undefined while the virtual controllers are not running. */
  control: () => ControlClient | undefined
  log: FastifyBaseLogger
}

/** The number of users who arrive together. */
const together = { chance: 0.12, ms: 900 } as const
/** How often a user wedges a door open, and how often a user leaves by the exit button. */
const chances = { held: 1 / 90, button: 1 / 25 } as const
/** The time that a user takes to open the door. */
const openedMs = 2_000
/** Skips doors whose controller never connects, because it would keep its events for ever. */
const maxAttempts = 5

/** Presents cards at the virtual controllers, at the rate of the current hour. */
export function startTraffic({ policies, fleet, control, log }: StartTrafficOptions) {
  const random = systemRandom()
  const people = new LiveSwipes(random)
  const served = new Set(fleet.map(({ unit }) => unit))
  const timers = startTimers({ log, failed: 'a card could not be presented' })
  let pace = paceAt(Date.now(), [])
  presentLater()
  return { stop: timers.stop }

  function presentLater() {
    const ms = random.chance(together.chance) ? together.ms : random.between(pace.least, pace.most)
    timers.after(ms, () => present().finally(presentLater))
  }

  async function present() {
    const units = control()
    const [first] = fleet
    if (!units || !first) return
    const index = fleetPolicy((await policies.ofAccount(first.account)).index, served)
    pace = paceAt(
      Date.now(),
      listsOf(index).sites.map(({ timeZone }) => timeZone),
    )
    const found = nextSwipe(index)
    if (!found) return
    const { swipe, serial } = found
    // A unit without a configuration, or one switched off by a user, would deny every card.
    const { running } = await units.get(serial)
    if (!running || running.appliedVersion === null) return
    const { unitDoor: door, number, direction } = swipe
    const kind = presentedKind(index, number)
    const { verdict } = await units.present(serial, { door, kind, number, direction })
    if (verdict !== 'grant' || isHeldOpen(serial, door)) return
    if (random.chance(chances.held)) timers.after(openedMs, () => wedge(units, { serial, swipe, index }))
    if (random.chance(chances.button)) {
      timers.after(random.between(9_000, 30_000), () => units.operateDoor(serial, { door, what: 'exit' }))
    }
  }

  function nextSwipe(index: PolicyIndex) {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const swipe = people.next(index, Date.now())
      const serial = fleet.find(({ unit }) => unit === swipe?.unit)?.serial
      if (swipe && serial !== undefined && serial !== troubles.offline.serial) return { swipe, serial }
    }
    return undefined
  }

  /** Holds a door open for longer than allowed, then closes it. */
  async function wedge(units: ControlClient, { serial, swipe, index }: Wedged) {
    const { unit, unitDoor: door } = swipe
    await units.operateDoor(serial, { door, what: 'held' })
    const wired = index.doorsOfUnit.get(unit)?.find(({ unitDoor }) => unitDoor === door)
    const heldMs = ((wired?.heldOpenAfterSeconds ?? 30) + random.between(12, 60)) * 1_000
    timers.after(heldMs, () => units.operateDoor(serial, { door, what: 'closed' }))
  }
}

type Wedged = { serial: string; swipe: Swipe; index: PolicyIndex }

function isHeldOpen(serial: string, unitDoor: number) {
  const { heldOpen } = troubles
  return serial === heldOpen.serial && unitDoor === heldOpen.unitDoor
}
