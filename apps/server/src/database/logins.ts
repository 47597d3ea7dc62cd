import { hkdfSync } from 'node:crypto'
import { webRole, systemRole } from './roles.ts'

/** The URLs with which the server's pools connect: each with a login that cannot become another role. */
export type Logins = {
  web: string
  system: string
  /** `key`: the server creates the logins. `settings`: the operator has. */
  origin: 'key' | 'settings'
}

type Settings = { databaseWebUrl: string | undefined; databaseSystemUrl: string | undefined }
type LoginsOfOptions = { settings: Settings; databaseUrl: string; secretKey: Uint8Array }

/** The operator's logins, or those that follow from the installation's key. */
export function loginsOf({ settings, databaseUrl, secretKey }: LoginsOfOptions): Logins {
  const { databaseWebUrl: web, databaseSystemUrl: system } = settings
  if (web !== undefined && system !== undefined) return { web, system, origin: 'settings' }
  return loginsFrom({ databaseUrl, secretKey })
}

/**
 * Logins whose names and passwords follow from the installation's key, so that all its servers agree. Roles belong to
 * the whole engine: the name differs by key, because another installation may use the same engine.
 */
export function loginsFrom({ databaseUrl, secretKey }: { databaseUrl: string; secretKey: Uint8Array }): Logins {
  const suffix = derived(secretKey, 'name', 6).toString('hex')
  const urlOf = (role: string) => {
    const password = derived(secretKey, `password of ${role}`, 32).toString('base64url')
    return withLogin(databaseUrl, { user: `${role}_${suffix}`, password })
  }
  return { web: urlOf(webRole), system: urlOf(systemRole), origin: 'key' }
}

/** In the query, because a URL without a host, for a Unix socket, has no place for a user. */
function withLogin(databaseUrl: string, { user, password }: { user: string; password: string }) {
  const url = new URL(databaseUrl)
  url.username = ''
  url.password = ''
  url.searchParams.set('user', user)
  url.searchParams.set('password', password)
  return url.href
}

/** The login of a URL from `loginsFrom`. */
export function loginIn(url: string) {
  const { searchParams } = new URL(url)
  return { user: searchParams.get('user') ?? '', password: searchParams.get('password') ?? '' }
}

function derived(secretKey: Uint8Array, use: string, bytes: number) {
  return Buffer.from(hkdfSync('sha256', secretKey, new Uint8Array(), `portcullis database login: ${use}`, bytes))
}
