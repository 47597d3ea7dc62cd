import type { FastifyBaseLogger } from 'fastify'
import type { ChangeFeed } from '../changes/change-feed.ts'
import type { Database } from '../database/database.ts'
import type { Logins } from '../database/logins.ts'
import type { EarlierConfigs } from '../ingest/earlier-configs.ts'
import type { StoreRequest } from './approvals.ts'
import type { EndedAccess } from './ended-access.ts'
import type { makeNoteModes } from '../desired/note-modes.ts'
import type { makeClaimInterlock } from './shared-interlocks.ts'
import type { ServerKeys } from './server-keys.ts'
import type { Policies } from '../policy/policies.ts'

/** The dependencies of the units' gateway. */
export type GatewayDependencies = {
  database: Database
  logins: Pick<Logins, 'system'>
  feed: ChangeFeed
  policies: Policies
  earlierConfigs: EarlierConfigs
  endedAccess: EndedAccess
  claimInterlock: ReturnType<typeof makeClaimInterlock>
  noteModes: ReturnType<typeof makeNoteModes>
  /** Events of many units leave connections to the database for their modes; the key is that of an account. */
  storeInTurn: <T>(key: string, store: () => Promise<T>) => Promise<T>
  /** Sign for units. */
  serverKeys: ServerKeys
  /**
   * Compiles the configuration of a unit of the account with this key: after its first hello, for another capacity in a later one, and
   * if a piece of it is missing.
   */
  compile: (input: { account: number; unit: string }) => Promise<void>
  /** Stores a request that a user at a reader waits for. */
  storeRequest: StoreRequest
  /** Milliseconds of the server's clock. */
  now: () => number
  log: FastifyBaseLogger
}
