import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The user that PostgreSQL runs as, if not the server's own. */
export type EngineAccount = { uid: number; gid: number }

/**
 * PostgreSQL refuses to run as root: it then runs as the owner of the first existing folder that root does not own, or
 * as `nobody`. Undefined if it runs as the server's own user.
 */
export async function engineAccount(folders: string[]): Promise<EngineAccount | undefined> {
  if (process.getuid?.() !== 0) return undefined
  for (const folder of folders) {
    const owner = await stat(folder).catch(() => undefined)
    if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  }
  return unprivilegedAccount()
}

/** Tries it as that user: modes alone miss access lists, mount options and mapped users. */
export async function canReach(directory: string, account: EngineAccount | undefined): Promise<boolean> {
  if (account === undefined) return true
  const attempt = run('/bin/sh', ['-c', 'cd "$1"', 'sh', directory], { ...account, cwd: '/' })
  return attempt.then(
    () => true,
    () => false,
  )
}

async function unprivilegedAccount(): Promise<EngineAccount> {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '')
  const entry = passwd.split('\n').find((line) => line.startsWith('nobody:'))
  const [, , uid, gid] = entry?.split(':') ?? []
  return { uid: systemId(uid), gid: systemId(gid) }
}

/** macOS writes the last ids as negative numbers. */
function systemId(text: string | undefined): number {
  const id = text === undefined ? Number.NaN : Number(text)
  return Number.isInteger(id) && id !== 0 ? id >>> 0 : 65_534
}
