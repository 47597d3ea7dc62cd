import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { ConfigError } from '../../config-error.ts'

const credentialsSchema = z.object({ adminPassword: z.string(), serverPassword: z.string(), clusterDir: z.string() })

/** What only the data directory knows: the engine's two passwords, and where its files lie. */
export type Credentials = z.infer<typeof credentialsSchema>

export async function readCredentials(home: string): Promise<Credentials | undefined> {
  const file = fileIn(home)
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new ConfigError(`DATA_DIR: ${file} cannot be read (${error.code}): start as the user who made it.`, {
      cause: error,
    })
  })
  if (text === undefined) return undefined
  const parsed = credentialsSchema.safeParse(parseJson(text))
  if (!parsed.success) throw new ConfigError(`DATA_DIR: ${file} is damaged: restore it from a backup.`)
  return parsed.data
}

/** Written whole and only then given its name: a crash leaves either none or a complete file. */
export async function makeCredentials(home: string, clusterDir: string): Promise<Credentials> {
  const credentials = { adminPassword: password(), serverPassword: password(), clusterDir }
  const unfinished = `${fileIn(home)}.new`
  await writeFile(unfinished, JSON.stringify(credentials), { mode: 0o600, flush: true })
  await rename(unfinished, fileIn(home))
  return credentials
}

function fileIn(home: string): string {
  return join(home, 'credentials.json')
}

function password(): string {
  return randomBytes(24).toString('base64url')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
