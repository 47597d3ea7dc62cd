import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { ConfigError } from './config-error.ts'

const bytes = 32

/** Reads the secret of this installation, from which its keys are derived; creates the file if it does not exist. */
export async function openSecretKey(file: string) {
  // `wx`: of two servers that start together on one folder, one creates the file and both read it.
  await writeFile(file, randomBytes(bytes).toString('hex'), { mode: 0o600, flag: 'wx' }).catch((error: unknown) => {
    if (!isAlreadyThere(error)) throw new ConfigError(sentence(file, 'cannot be written'), { cause: error })
  })
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new ConfigError(sentence(file, 'cannot be read'), { cause })
  })
  const key = Buffer.from(text.trim(), 'hex')
  if (key.length !== bytes) throw new ConfigError(sentence(file, `does not hold ${bytes} bytes in hexadecimal digits`))
  return key
}

function sentence(file: string, what: string) {
  return `SECRET_KEY_FILE: ${file} ${what}: give it the installation's key, or leave the variable out to have one made in DATA_DIR.`
}

function isAlreadyThere(error: unknown) {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST'
}
