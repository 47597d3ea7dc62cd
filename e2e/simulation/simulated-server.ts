import { createServer, type Server } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { ChangeFeed } from '@portcullis/server/changes/change-feed'
import { Database } from '@portcullis/server/database/database'
import { loginsFrom } from '@portcullis/server/database/logins'
import { startCompileJob } from '@portcullis/server/desired/compile-job'
import { attachUnits } from '@portcullis/server/gateway/gateway'
import { serverKeysFrom } from '@portcullis/server/gateway/server-keys'
import { credentialNumbersFrom } from '@portcullis/server/numbers/credential-numbers'
import { Policies } from '@portcullis/server/policy/policies'
import pino from 'pino'
import { DatabaseGate } from './database-gate.ts'
import type { Engine } from './engine.ts'
import type { Cable } from './simulated-network.ts'

const log = pino({ level: 'silent' })

type ServerOptions = { engine: Engine; cables: readonly Cable[] }
/** One run of the server's process; `ends` stop its parts. */
type Run = { gate: DatabaseGate; http: Server; ends: (() => unknown)[] }

const restartMs = 500

/** A server with the real gateway, behind simulated cables and a gate to the database. It can crash and start again. */
export class SimulatedServer {
  readonly #options: ServerOptions
  readonly #disposals: Promise<void>[] = []
  #current: Run | undefined
  #isReady = false

  constructor(options: ServerOptions) {
    this.#options = options
  }

  /** Where units connect; undefined while the server does not run. */
  get http() {
    return this.#isReady ? this.#current?.http : undefined
  }

  get gate() {
    return this.#current?.gate
  }

  /** Starts again until it runs: the database may be unreachable, or the server may crash while it starts. */
  async start() {
    while (!this.#current) {
      const gate = await DatabaseGate.open(this.#options.engine.sessions)
      const run: Run = { gate, http: createServer(), ends: [] }
      this.#current = run
      const isRunning = await this.#open(run).then(
        () => this.#current === run,
        () => false,
      )
      if (isRunning) {
        this.#isReady = true
        return
      }
      this.#end(run)
      await delay(restartMs)
    }
  }

  /** The process ends: connections break, or, where the whole machine is gone, the units do not learn of it. */
  crash({ isMachineGone }: { isMachineGone: boolean }) {
    const run = this.#current
    if (!run) return
    for (const cable of this.#options.cables) {
      if (isMachineGone) cable.serverVanished(run.http)
      else cable.breakConnections(run.http)
    }
    this.#end(run)
  }

  /** Resolves when all that crashed is gone. */
  async disposed() {
    await Promise.all(this.#disposals)
  }

  async #open({ gate, http, ends }: Run) {
    const { databaseUrl, secretKey } = this.#options.engine
    const logins = loginsFrom({ databaseUrl: gate.through(databaseUrl), secretKey })
    const database = new Database({ logins, connections: 4 })
    const feed = new ChangeFeed({ database, logins, notify: 'off' })
    const policies = new Policies({ database, feed, numbers: credentialNumbersFrom(secretKey) })
    const compileJob = startCompileJob({ database, feed, policies, now: Date.now, log })
    ends.push(
      () => database.close(),
      () => feed.stop(),
      () => policies.stop(),
      () => compileJob.stop(),
    )
    await feed.start()
    const gateway = await attachUnits({
      server: http,
      database,
      logins,
      feed,
      policies,
      trustedProxies: [],
      unencryptedUnits: 'on',
      confirmKey: async () => {},
      onOtherKey: () => {},
      log,
      now: Date.now,
      serverKeys: serverKeysFrom(secretKey),
      compile: (enrolled) => compileJob.compile(enrolled),
      // No operator answers.
      storeRequest: async () => 'raised',
    })
    ends.push(() => gateway.close())
    await compileJob.everything()
  }

  /** Without the network and the database, what still runs changes nothing. */
  #end(run: Run) {
    if (this.#current === run) {
      this.#current = undefined
      this.#isReady = false
    }
    run.gate.close()
    run.http.closeAllConnections()
    this.#disposals.push(dispose(run))
  }
}

async function dispose({ ends }: Run) {
  for (const end of ends.splice(0).toReversed()) await end()
}
