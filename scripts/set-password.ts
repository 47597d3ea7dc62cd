import { text } from 'node:stream/consumers'
import { problemMessage } from '@portcullis/contract/errors/error-message'
import { fieldProblem } from '@portcullis/contract/errors/field-problem'
import { newPassword } from '@portcullis/contract/passwords'
import { ConfigError } from '../apps/server/src/config-error.ts'
import { readConfig } from '../apps/server/src/config.ts'
import { Database } from '../apps/server/src/database/database.ts'
import { loginsOf } from '../apps/server/src/database/logins.ts'
import { isRefusedLogin } from '../apps/server/src/database/prepare-logins.ts'
import { connectEmbedded } from '../apps/server/src/database/embedded/reach-embedded.ts'
import { makePassword } from '../apps/server/src/passwords/password.ts'
import { setPasswordOf } from '../apps/server/src/passwords/set-password.ts'
import { readSecretKey } from '../apps/server/src/secret-key.ts'

try {
  console.log(await setPassword(process.argv.slice(2)))
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error)
  process.exitCode = 1
}

async function setPassword([email, ...more]: string[]) {
  if (email === undefined || more.length > 0) {
    throw new ConfigError(
      'npm run set-password -- EMAIL creates a password and prints it; echo PASSWORD | npm run set-password -- EMAIL sets your own.',
    )
  }
  const given = await passwordOfInput()
  const password = given ?? makePassword()
  const config = readConfig()
  const { dataDir, secretKeyFile } = config
  const secretKey = await readSecretKey(secretKeyFile)
  const engine = config.databaseUrl === undefined ? await connectEmbedded({ dataDir, log: console.log }) : undefined
  const databaseUrl = config.databaseUrl ?? engine?.databaseUrl ?? ''
  const logins = loginsOf({ settings: config, databaseUrl, secretKey })
  const database = new Database({ logins, connections: 1 })
  try {
    const exists = await setPasswordOf(database, { email, password }).catch((cause: unknown) => {
      if (isRefusedLogin(cause)) throw new ConfigError(unknownLogin, { cause })
      throw cause
    })
    if (!exists) throw new ConfigError(`No user has the email ${email}. Check it under Users in the console.`)
  } finally {
    await database.close()
    await engine?.stop()
  }
  const isNow = given === undefined ? `is now ${password} (shown only once)` : 'is set'
  return `The password of ${email} ${isNow}; their sessions have ended.`
}

const unknownLogin =
  'The database has no login for the key of this installation: start the server once, or set DATA_DIR or SECRET_KEY_FILE as for the server.'

/** The piped input without its line end; undefined at a terminal or for an empty pipe. */
async function passwordOfInput() {
  const given = process.stdin.isTTY ? '' : (await text(process.stdin)).replace(/\r?\n$/, '')
  if (given === '') return undefined
  const checked = newPassword().safeParse(given)
  if (checked.success) return checked.data
  const [issue] = checked.error.issues
  throw new ConfigError(`This password cannot be set. ${issue ? problemMessage(fieldProblem(issue)) : ''}`)
}
