import type { FastifyBaseLogger } from 'fastify'
import { registerAccountCalls } from './accounts/calls.ts'
import { registerAuditLogCalls } from './audit-logs/calls.ts'
import { registerAssumeCalls } from './assumptions/calls.ts'
import { ChangeFeed } from './changes/change-feed.ts'
import type { Config } from './config.ts'
import { ConfigError } from './config-error.ts'
import { Database } from './database/database.ts'
import { startEmbedded } from './database/embedded/start-embedded.ts'
import { loginsOf } from './database/logins.ts'
import { migrate } from './database/migrate.ts'
import { registerGuestCalls } from './guests/calls.ts'
import { registerCredentialCalls } from './credentials/calls.ts'
import { registerDoorGroupCalls } from './door-groups/forgive.ts'
import { registerDoorCalls } from './doors/doors.ts'
import { registerEmailCalls } from './own-account/email/calls.ts'
import { registerExplorer } from './explorer/calls.ts'
import { type Application, createApp } from './create-app.ts'
import { ownUrl } from './http/own-url.ts'
import { startSealing } from './jobs/seal-stored-numbers.ts'
import { registerLockdownCalls } from './lockdowns/calls.ts'
import { startEndingLockdowns } from './lockdowns/end-lockdown.ts'
import { startLockdownsByCard } from './lockdowns/start-by-card.ts'
import { addPartitionsAround, startHousekeeping } from './jobs/housekeeping.ts'
import { registerFloorPlanCalls } from './floor-plans/calls.ts'
import { registerMail } from './outbox/register-mail.ts'
import { registerMfaCalls } from './mfa/calls.ts'
import { mfaSecretsFrom } from './mfa/mfa-secrets.ts'
import { registerOwnAccountCalls } from './own-account/calls.ts'
import { startCompileJob } from './desired/compile-job.ts'
import { startMarkingOutOfSync } from './desired/out-of-sync.ts'
import { startMarkingLag } from './desired/policy-lag.ts'
import { Policies } from './policy/policies.ts'
import { startReportingUnreadable } from './policy/report-unreadable.ts'
import { registerMembershipCalls } from './memberships/calls.ts'
import { registerRecertification } from './recertification/calls.ts'
import { startFolding } from './read-models/fold-events.ts'
import { attachRooms } from './rooms/rooms.ts'
import { countRefusals, countRefused, startRecordingRefusals } from './refusals/record-refusals.ts'
import { RefusalCounts } from './refusals/refusal-counts.ts'
import { earlierRecoveryKeys } from './rotate-key.ts'
import { checkSecretKey, confirmSecretKey, openSecretKey } from './secret-key.ts'
import { registerSavedViews } from './saved-views/calls.ts'
import { registerSignInCalls } from './sign-in/calls.ts'
import { type Administrator, ensureAdministrator, type FirstAccount } from './first-administrator.ts'
import { registerPasswordReset } from './password-reset/calls.ts'
import { assertDatabaseReachable, assertPortFree, ensureDataDir, listenSentence } from './start-checks.ts'
import { registerTaskCalls } from './tasks/calls.ts'
import { startExpiring } from './tasks/expire-requests.ts'
import { raiseAtReader } from './tasks/raise-at-reader.ts'
import { registerRuleCalls } from './rules/calls.ts'
import { registerHolidayCalls } from './holidays/calls.ts'
import { registerReplaceSchedule } from './schedules/replace-schedule.ts'
import { makeMoves } from './moves/make-moves.ts'
import { registerSiteStates } from './read-models/site-states.ts'
import { registerSiteCalls } from './sites/calls.ts'
import { userHooks } from './users/users.ts'
import { collectionHooks } from './hooks-by-collection.ts'
import { registerUnitCalls } from './units/calls.ts'
import { giveUnlock } from './commands/commands.ts'
import { attachUnits } from './gateway/gateway.ts'
import { serverKeysFrom } from './gateway/server-keys.ts'
import { type CredentialNumbers, credentialNumbersFrom } from './numbers/credential-numbers.ts'

const connections = 20
/** Controllers have connections of their own, so that no flood of sign-ins delays their events. */
const gatewayConnections = 16

/** The demonstration for an installation without users of its own; only `npm start` and similar programs provide it. */
export type Demonstration = {
  /** The account with which an empty installation begins. */
  firstAccount: FirstAccount
  /** Fills an empty installation and returns a sentence about its content; undefined if it is not empty. */
  fill: (
    database: Database,
    parts: { now: Date; dataDir: string; numbers: CredentialNumbers },
  ) => Promise<string | undefined>
  /** Registers routes of its own, also with DEMO=off: a database may have been filled earlier. */
  register: (app: Application) => void
  /** Starts once the server listens. */
  start: (parts: {
    database: Database
    policies: Policies
    dataDir: string
    serverUrl: string
    log: FastifyBaseLogger
    report: (sentence: string) => void
  }) => Promise<{ stop: () => Promise<void> }>
}

/**
 * Starts all parts in the order of their dependencies and reports progress; `stop` ends them in reverse. `otherKey` is
 * fulfilled if the installation's key was rotated and the server must not continue.
 */
export async function startServer(config: Config, report: (sentence: string) => void, demonstration?: Demonstration) {
  const filling = config.isDemoEnabled ? demonstration : undefined
  const stops: (() => Promise<void>)[] = []
  const { promise: otherKey, resolve: onOtherKey } = Promise.withResolvers<ConfigError>()
  const stop = async () => {
    for (const end of stops.reverse()) await end()
  }
  try {
    await ensureDataDir(config.dataDir)
    await assertPortFree(config)
    const databaseUrl = await openEngine()
    const secretKey = await openSecretKey(config.secretKeyFile)
    const logins = loginsOf({ settings: config, databaseUrl, secretKey })
    const applied = await migrate(databaseUrl, { report, logins })
    report(applied.length === 0 ? 'Migrations: up to date.' : `Migrations: applied ${applied.join(', ')}.`)
    await addPartitionsAround(databaseUrl, new Date())

    const database = new Database({ logins, connections })
    stops.push(() => database.close())
    await checkSecretKey(database, { file: config.secretKeyFile, key: secretKey })
    const secrets = mfaSecretsFrom(secretKey, await earlierRecoveryKeys(database, { key: secretKey }))
    const numbers = credentialNumbersFrom(secretKey)
    const hooksByCollection = collectionHooks(numbers)
    const { adminEmail: email, adminPassword: password, publicUrl, authProvider, logLevel, smtpUrl, dataDir } = config
    const account = filling ? { firstAccount: filling.firstAccount } : {}
    const administrator = await ensureAdministrator(database, { email, password, now: new Date(), ...account })
    const filled = await filling?.fill(database, { now: new Date(), dataDir, numbers })
    if (filled !== undefined) report(filled)
    const feed = new ChangeFeed({ database, logins, notify: config.databaseNotify })
    await feed.start()
    stops.push(() => feed.stop())
    const policies = new Policies({ database, feed, numbers })
    stops.push(async () => policies.stop())
    const refusals = new RefusalCounts({ now: Date.now })
    const app = await createApp({
      database,
      feed,
      publicUrl,
      authProvider,
      logLevel,
      trustedProxies: config.trustedProxies,
      hooksByCollection,
      policies,
      register: (
        target,
        { serveCall, serveProvenCall, serveIdentifyingCall, accessOf, personOf, recall, runExport, previewChange },
      ) => {
        if (config.recordsRefusals) countRefusals(target, refusals)
        const signingIn = {
          database,
          serveCall,
          personOf,
          publicUrl,
          secrets,
          now: Date.now,
          isMfaRequiredOfHyperUsers: config.isProduction,
        }
        registerSignInCalls(target, signingIn)
        registerOwnAccountCalls(target, { ...signingIn, serveIdentifyingCall, accessOf, recall })
        registerEmailCalls(target, { database, serveCall, accessOf })
        registerMfaCalls(target, signingIn)
        registerAccountCalls(target, { database, serveCall, serveProvenCall, personOf })
        registerAssumeCalls(target, { database, serveCall, personOf })
        registerAuditLogCalls(target, { database, serveCall, personOf, hooksByCollection })
        const { hint: hintMail } = registerMail(target, { database, serveCall, smtpUrl, publicUrl, dataDir })
        registerPasswordReset(target, { database, serveCall, hintMail, publicUrl })
        const moves = makeMoves({ database, feed, policies, personOf })
        registerUnitCalls(target, { database, serveCall, feed, policies, moves })
        registerSiteCalls(target, { database, serveCall, runExport, moves })
        registerFloorPlanCalls(target, { database, serveCall })
        registerSiteStates(target, { database, policies, serveProvenCall })
        registerDoorCalls(target, { database, policies, serveCall })
        registerLockdownCalls(target, { database, feed, serveCall })
        registerDoorGroupCalls(target, { database, serveCall, now: Date.now })
        registerRuleCalls(target, { database, serveCall, serveProvenCall, previewChange })
        registerHolidayCalls(target, { database, serveCall, serveProvenCall, previewChange, policies, now: Date.now })
        const writing = { database, hooksByCollection, serveProvenCall, previewChange }
        registerReplaceSchedule(target, writing)
        registerCredentialCalls(target, { ...writing, numbers })
        registerGuestCalls(target, { ...writing, feed, policies, serveCall, publicUrl })
        registerTaskCalls(target, { database, serveCall, serveProvenCall, giveUnlock })
        registerExplorer(target, { database, serveCall, policies, runExport, now: Date.now })
        registerSavedViews(target, { database, serveCall })
        registerMembershipCalls(target, { database, serveCall, personOf, userHooks })
        registerRecertification(target, { database, serveProvenCall, userHooks, now: Date.now })
        demonstration?.register(target)
      },
    })
    feed.onFailure(({ consumer, error }) =>
      app.log.warn({ err: error, consumer }, 'taking changes from the feed failed; will retry'),
    )
    // Stops after the last request has been answered.
    const recordingRefusals = startRecordingRefusals({ counts: refusals, database, feed, log: app.log })
    stops.push(() => recordingRefusals.stop())
    // Closes after rooms and gateway, because it waits for connections, and theirs do not end by themselves.
    stops.push(() => app.close())
    const compileJob = startCompileJob({ database, feed, policies, now: Date.now, log: app.log })
    stops.push(async () => compileJob.stop())
    const markingLag = startMarkingLag({ database, feed, policies, log: app.log })
    stops.push(() => markingLag.stop())
    const markingOutOfSync = startMarkingOutOfSync({ database, feed, log: app.log })
    stops.push(() => markingOutOfSync.stop())
    const housekeeping = startHousekeeping({
      database,
      databaseUrl,
      feed,
      compileJob,
      now: () => new Date(),
      log: app.log,
    })
    stops.push(async () => housekeeping.stop())
    const folding = startFolding({ database, log: app.log })
    stops.push(() => folding.stop())
    const expiring = startExpiring({ database, feed, log: app.log })
    stops.push(() => expiring.stop())
    const lockdownCards = startLockdownsByCard({ database, feed, log: app.log })
    stops.push(() => lockdownCards.stop())
    const endingLockdowns = startEndingLockdowns({ database, feed, log: app.log })
    stops.push(() => endingLockdowns.stop())
    const rooms = attachRooms({
      server: app.server,
      database,
      feed,
      publicUrl,
      trustedProxies: config.trustedProxies,
      onRefused: (refused) => {
        if (config.recordsRefusals) countRefused(refusals, refused)
      },
    })
    stops.push(() => rooms.close())
    const gatewayDatabase = new Database({ logins, connections: gatewayConnections })
    stops.push(() => gatewayDatabase.close())
    const gateway = await attachUnits({
      server: app.server,
      database: gatewayDatabase,
      logins,
      feed,
      policies,
      trustedProxies: config.trustedProxies,
      unencryptedUnits: config.unencryptedUnits,
      serverKeys: serverKeysFrom(secretKey),
      compile: (enrolled) => compileJob.compile(enrolled),
      storeRequest: raiseAtReader,
      confirmKey: () => confirmSecretKey(databaseUrl, { file: config.secretKeyFile, key: secretKey }),
      onOtherKey,
      now: Date.now,
      log: app.log,
    })
    stops.push(() => gateway.close())
    // The gateway now holds the lock that keeps the key; it may have been rotated before.
    await checkSecretKey(database, { file: config.secretKeyFile, key: secretKey })

    // Changes made just before a server was killed have not been compiled.
    compileJob
      .everything()
      .catch((error: unknown) => app.log.warn({ err: error }, 'compiling units failed; will retry at the next change'))

    await app.listen({ port: config.port, host: config.host }).catch((error: unknown) => {
      throw new ConfigError(listenSentence(error, config), { cause: error })
    })
    const reporting = startReportingUnreadable({ database, log: app.log })
    stops.push(() => reporting.stop())
    const sealing = startSealing({ database, numbers, log: app.log })
    stops.push(() => sealing.stop())
    if (filling) {
      const serverUrl = ownUrl({ publicUrl: undefined, address: app.server.address() })
      const running = await filling.start({ database, policies, dataDir, serverUrl, log: app.log, report })
      stops.push(() => running.stop())
    }
    report(`\nPortcullis is ready: ${ownUrl({ publicUrl, address: app.server.address() })}`)
    reportSignIn(administrator)
    return { app, database, policies, otherKey, stop }
  } catch (error) {
    await stop()
    throw error
  }

  async function openEngine() {
    if (config.databaseUrl !== undefined) {
      await assertDatabaseReachable(config.databaseUrl)
      report('Database: DATABASE_URL.')
      return config.databaseUrl
    }
    const engine = await startEmbedded({ dataDir: config.dataDir, log: report })
    stops.push(() => engine.stop())
    report('Database: embedded PostgreSQL.')
    return engine.databaseUrl
  }

  function reportSignIn({ email, password }: Administrator) {
    if (password.is === 'known') report(`Sign in as ${email}; to set a new password: npm run set-password -- ${email}`)
    if (password.is === 'given') report(`Sign in as ${email} with the password in ADMIN_PASSWORD`)
    if (password.is === 'fresh')
      report(`Sign in as ${email}\nwith the password ${password.text} (shown only this once)`)
  }
}
