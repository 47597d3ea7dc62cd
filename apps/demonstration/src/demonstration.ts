import type { Demonstration } from '@portcullis/server/start-server'
import { fillDemonstration } from './fill-demonstration.ts'
import { servePortraits } from './portraits/serve-portraits.ts'
import { startDemonstration } from './start-demonstration.ts'
import { firstAccount } from './world/accounts.ts'

/** An invented estate with its past and its people, for `startServer`. */
export const demonstration: Demonstration = {
  firstAccount,
  fill: fillDemonstration,
  register: servePortraits,
  start: startDemonstration,
}
