import { existsSync } from 'node:fs'
import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../database/database.ts'
import type { Policies } from '../policy/policies.ts'
import { startTraffic } from './live-traffic.ts'
import { homeOfControllers, VirtualControllers } from './virtual-controllers.ts'
import { enrolFleet, virtualFleet } from './virtual-fleet.ts'

type Parts = {
  database: Database
  policies: Policies
  dataDir: string
  /** Where the virtual controllers find this server. */
  serverUrl: string
  log: FastifyBaseLogger
}

/** Brings the demonstration to life where this server is its home: virtual controllers, and people at their doors. */
export async function startDemonstration({ database, policies, dataDir, serverUrl, log }: Parts) {
  const dir = homeOfControllers(dataDir)
  const fleet = existsSync(dir) ? await virtualFleet(database) : []
  if (fleet.length === 0) return { stop: async () => {} }
  const controllers = new VirtualControllers({
    serverUrl,
    dir,
    log,
    onReady: (control) => enrolFleet(database, { control, fleet }),
  })
  controllers.start()
  const traffic = startTraffic({ policies, fleet, log, control: () => controllers.control })
  return {
    async stop() {
      traffic.stop()
      await controllers.stop()
    },
  }
}
