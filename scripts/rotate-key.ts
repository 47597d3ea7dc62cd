import { parseArgs } from 'node:util'
import { ConfigError } from '../apps/server/src/config-error.ts'
import { readConfig } from '../apps/server/src/config.ts'
import { Database } from '../apps/server/src/database/database.ts'
import { connectEmbedded } from '../apps/server/src/database/embedded/reach-embedded.ts'
import { loginsOf } from '../apps/server/src/database/logins.ts'
import { migrate } from '../apps/server/src/database/migrate.ts'
import { dropLogins } from '../apps/server/src/database/prepare-logins.ts'
import { finishRotation, replacedKeys, rotateKey, type WaitingUnit } from '../apps/server/src/rotate-key.ts'
import { checkSecretKey, readSecretKey } from '../apps/server/src/secret-key.ts'

const usage =
  'npm run rotate-key replaces the key of the installation, while its servers are stopped; npm run rotate-key -- --finish ends the wait for controllers that have not confirmed the new key.'

try {
  console.log(await run())
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error)
  process.exitCode = 1
}

async function run() {
  const { finish } = readArguments()
  const config = readConfig()
  const { dataDir, secretKeyFile: file } = config
  const secretKey = await readSecretKey(file)
  const engine = config.databaseUrl === undefined ? await connectEmbedded({ dataDir, log: console.log }) : undefined
  const databaseUrl = config.databaseUrl ?? engine?.databaseUrl ?? ''
  const logins = loginsOf({ settings: config, databaseUrl, secretKey })
  try {
    await migrate(databaseUrl, { logins })
    const done = await runOn(new Database({ logins, connections: 1 }), { finish, file })
    // Those of the new key are created when a server starts.
    for (const replaced of await replacedKeys(file))
      await dropLogins(databaseUrl, loginsOf({ settings: config, databaseUrl, secretKey: replaced }))
    return done
  } finally {
    await engine?.stop()
  }
}

async function runOn(database: Database, { finish, file }: { finish: boolean; file: string }) {
  try {
    return finish ? await finishNow(database, file) : await rotateNow(database, file)
  } finally {
    await database.close()
  }
}

function readArguments() {
  try {
    return parseArgs({ options: { finish: { type: 'boolean', default: false } } }).values
  } catch (cause) {
    throw new ConfigError(usage, { cause })
  }
}

async function rotateNow(database: Database, file: string) {
  const { oldFile, waiting } = await rotateKey(database, { file })
  const next =
    waiting.length === 0
      ? 'No controller waits for it.'
      : `${waiting.length} controllers learn of it when they connect; npm run rotate-key -- --finish ends the wait.`
  return `The key in ${file} is new; the old one is in ${oldFile}. Copy the new file to all servers, then start them. ${next}`
}

async function finishNow(database: Database, file: string) {
  const key = await readSecretKey(file)
  await checkSecretKey(database, { file, key })
  const waiting = await finishRotation(database, { key })
  if (waiting.length === 0) return 'All controllers have confirmed the current key.'
  return [
    'These controllers have not confirmed the current key and need a new enrolment:',
    ...waiting.map(lineOf),
  ].join('\n')
}

function lineOf({ name, serial, account }: WaitingUnit) {
  return `  ${name} (serial number ${serial}, account ${account})`
}
