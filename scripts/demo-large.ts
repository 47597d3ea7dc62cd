import { parseArgs } from 'node:util'
import { ConfigError } from '../apps/server/src/config-error.ts'
import { readConfig } from '../apps/server/src/config.ts'
import { Database } from '../apps/server/src/database/database.ts'
import { startEmbedded } from '../apps/server/src/database/embedded/start-embedded.ts'
import { loginsOf } from '../apps/server/src/database/logins.ts'
import { migrate } from '../apps/server/src/database/migrate.ts'
import { estate } from '../apps/demonstration/src/large/estate.ts'
import { fillLarge } from '../apps/demonstration/src/large/fill-large.ts'
import { sizeOfDatabase } from '../apps/demonstration/src/large/size-of-database.ts'
import { addPartitionsAround } from '../apps/server/src/jobs/housekeeping.ts'
import { ensureAdministrator } from '../apps/server/src/first-administrator.ts'
import { credentialNumbersFrom } from '../apps/server/src/numbers/credential-numbers.ts'
import { openSecretKey } from '../apps/server/src/secret-key.ts'
import { ensureDataDir } from '../apps/server/src/start-checks.ts'
import { buildConsole } from './build-console.ts'

const usage = `npm run demo:large [-- --doors 2500 --people 75000 --events 10000000 --only-fill]
Fills a database of its own in ./data-large (DATA_DIR: elsewhere) with a large estate, and starts the server on it.
A second run finds what the first one has made. --only-fill ends before the server starts.`

const least = { doors: 16, people: 20, events: 1_000 } as const

try {
  await demoLarge(readArguments())
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error)
  process.exit(1)
}

type DemoLargeInput = ReturnType<typeof readArguments>

async function demoLarge({ sizes, afterwards }: DemoLargeInput) {
  process.env['DATA_DIR'] ??= './data-large'
  const config = readConfig()
  const { dataDir, databaseUrl, adminEmail: email, adminPassword: password } = config
  await ensureDataDir(dataDir)
  const engine = databaseUrl === undefined ? await startEmbedded({ dataDir, log: console.log }) : undefined
  const url = databaseUrl ?? engine?.databaseUrl ?? ''
  const secretKey = await openSecretKey(config.secretKeyFile)
  const logins = loginsOf({ settings: config, databaseUrl: url, secretKey })
  const numbers = credentialNumbersFrom(secretKey)
  const database = new Database({ logins, connections: 4 })
  const since = performance.now()
  try {
    const now = new Date()
    await migrate(url, { logins })
    await addPartitionsAround(url, now)
    const administrator = await ensureAdministrator(database, { email, password, now, firstAccount: estate })
    if (administrator.password.is === 'fresh') {
      console.log(`Administrator: ${email}, with the password ${administrator.password.text} (shown only this once)`)
    }
    if (!(await fillLarge({ database, databaseUrl: url, dataDir, numbers, sizes, now, report: console.log }))) {
      throw new ConfigError(`DATA_DIR: in ${dataDir} is other data already: set DATA_DIR to another folder.`)
    }
    const seconds = ((performance.now() - since) / 1_000).toFixed(0)
    console.log(`Ready in ${seconds} s; the database uses ${await sizeOfDatabase(url)} of disk space.`)
  } finally {
    await database.close()
    await engine?.stop()
  }
  if (afterwards === 'end') return
  if ((await buildConsole()) === 'failed') process.exit(1)
  await import('../apps/demonstration/src/main.ts')
}

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        doors: { type: 'string', default: '2500' },
        people: { type: 'string', default: '75000' },
        events: { type: 'string', default: '10000000' },
        'only-fill': { type: 'boolean', default: false },
      },
    })
    const sizes = { doors: size('doors', values), people: size('people', values), events: size('events', values) }
    return { sizes, afterwards: values['only-fill'] ? ('end' as const) : ('server' as const) }
  } catch (error) {
    throw new ConfigError(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`)
  }
}

type Name = 'doors' | 'people' | 'events'

function size(name: Name, values: Record<Name, string>) {
  const count = Number(values[name])
  if (Number.isInteger(count) && count >= least[name]) return count
  throw new Error(`--${name} cannot be "${values[name]}": use a whole number from ${least[name]}.`)
}
