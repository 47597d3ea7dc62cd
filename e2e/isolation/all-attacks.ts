import type { Attack } from './attack.ts'
import { bodyAttacks } from './attacks/bodies.ts'
import { controllerAttacks } from './attacks/controllers.ts'
import { floodAttacks } from './attacks/floods.ts'
import { readAttacks } from './attacks/reads.ts'
import { socketAttacks } from './attacks/sockets.ts'
import { storedRowAttacks } from './attacks/stored-rows.ts'
import { upgradeAttacks } from './attacks/upgrades.ts'

/** Every attack, in the order in which they run. */
export const attacks: readonly Attack[] = [
  ...upgradeAttacks,
  ...bodyAttacks,
  ...readAttacks,
  ...socketAttacks,
  ...floodAttacks,
  ...controllerAttacks,
  ...storedRowAttacks,
]
