import type { ControlClient } from '@portcullis/controllers/control-client'
import type { PolicyIndex } from '@portcullis/domain/decision/gather-facts'
import type { FastifyBaseLogger } from 'fastify'
import type { Policies } from '@portcullis/server/policy/policies'
import { listsOf } from '../policy-lists.ts'
import { type Random, systemRandom } from '../random.ts'
import { decisionOn, type Swipe } from '../swipe.ts'
import { fleetPolicy } from './fleet-policy.ts'
import { presentedKind } from './presented-kind.ts'
import { startTimers } from './timers.ts'
import type { FleetUnit } from './virtual-fleet.ts'

type StartRequestersOptions = {
  policies: Policies
  fleet: readonly FleetUnit[]
  /** Undefined while the virtual controllers are not running. */
  control: () => ControlClient | undefined
  log: FastifyBaseLogger
}

/** Rare enough not to disturb an operator, frequent enough to be seen by a user who tries the product. */
const pauseMs = { least: 90_000, most: 240_000 } as const
const firstMs = 20_000
const maxAttempts = 200

/** From time to time a user waits at a door that needs approval, until an operator decides or the request expires. */
export function startAccessRequesters({ policies, fleet, control, log }: StartRequestersOptions) {
  const random = systemRandom()
  const served = new Set(fleet.map(({ unit }) => unit))
  const timers = startTimers({ log, failed: 'a request at a door failed' })
  requestAfter(firstMs)
  return { stop: timers.stop }

  function requestAfter(ms: number) {
    timers.after(ms, () => ask().finally(() => requestAfter(random.between(pauseMs.least, pauseMs.most))))
  }

  async function ask() {
    const units = control()
    const [first] = fleet
    if (!units || !first) return
    const index = fleetPolicy((await policies.ofAccount(first.account)).index, served)
    const swipe = askingSwipe(index, { at: Date.now(), random })
    const serial = fleet.find(({ unit }) => unit === swipe?.unit)?.serial
    if (!swipe || serial === undefined) return
    const { running } = await units.get(serial)
    if (!running?.isOnline || running.appliedVersion === null) return
    const { unitDoor: door, number, direction } = swipe
    await units.present(serial, { door, kind: presentedKind(index, number), number, direction })
  }
}

/** A user who would be granted access at a door that needs approval, if an operator approved now. */
export function askingSwipe(index: PolicyIndex, { at, random }: { at: number; random: Random }): Swipe | undefined {
  const doors = listsOf(index).doors.filter(({ requiresRemoteAuth }) => requiresRemoteAuth)
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const door = random.pick(doors)
    const card = random.pick(listsOf(index).credentials)
    if (!door || !card || door.unit === null || door.unitDoor === null) continue
    const swipe = { unit: door.unit, unitDoor: door.unitDoor, number: card.number, direction: 'entry' } as const
    if (decisionOn(index, swipe, at).verdict === 'needs_approval') return swipe
  }
  return undefined
}
