import { existsSync } from 'node:fs'
import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '@portcullis/server/database/database'
import type { Policies } from '@portcullis/server/policy/policies'
import type { Demonstration } from '@portcullis/server/start-server'
import { fillDemonstration } from './fill-demonstration.ts'
import { startAccessRequesters } from './live/access-requesters.ts'
import { startTraffic } from './live/live-traffic.ts'
import { startTroubles } from './live/troubles.ts'
import { enrolFleet, virtualFleet } from './live/virtual-fleet.ts'
import { homeOfControllers, VirtualControllers } from './live/virtual-controllers.ts'
import { servePortraits } from './portraits/serve-portraits.ts'
import { firstAccount } from './world/accounts.ts'

/** A fictional estate with past events and users, for `startServer`. */
export const demonstration: Demonstration = {
  firstAccount,
  fill: fillDemonstration,
  register: servePortraits,
  start: startDemonstration,
}

type StartDemonstrationOptions = {
  database: Database
  policies: Policies
  dataDir: string
  /** The URL at which the virtual controllers reach this server. */
  serverUrl: string
  log: FastifyBaseLogger
  report: (sentence: string) => void
}

/** Starts the virtual controllers and the users at their doors, if this server is their home. */
async function startDemonstration(options: StartDemonstrationOptions) {
  const { database, policies, dataDir, serverUrl, log, report } = options
  const dir = homeOfControllers(dataDir)
  const fleet = existsSync(dir) ? await virtualFleet(database) : []
  if (fleet.length === 0) return { stop: async () => {} }
  const controllers = new VirtualControllers({
    serverUrl,
    dir,
    log,
    onReady: (control) => enrolFleet(database, { control, fleet }),
    onPage: (url) => report(`Virtual controllers, to present cards and simulate faults: ${url}`),
  })
  controllers.start()
  const control = () => controllers.control
  const living = [
    startTraffic({ policies, fleet, log, control }),
    startAccessRequesters({ policies, fleet, log, control }),
    startTroubles({ database, control, log }),
  ]
  return {
    async stop() {
      for (const { stop } of living) stop()
      await controllers.stop()
    },
  }
}
