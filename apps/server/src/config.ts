import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import * as z from 'zod'
import { ConfigError } from './config-error.ts'

/** The settings of the environment, read once at startup; no other code reads the environment. */
export type Config = {
  port: number
  host: string
  dataDir: string
  /** Absent: the embedded PostgreSQL. */
  databaseUrl: string | undefined
  /** The logins of the server, both or neither. Absent: the role of DATABASE_URL creates them. */
  databaseWebUrl: string | undefined
  databaseSystemUrl: string | undefined
  /** Off: servers only poll for each other's changes, for connections that cannot wait for a notification. */
  databaseNotify: 'on' | 'off'
  adminEmail: string
  /** Absent: one is created at the first start, and printed. */
  adminPassword: string | undefined
  /** Whether to fill an empty database with the demonstration, in programs that have one. */
  isDemoEnabled: boolean
  /** Absent: mail is kept in the outbox. */
  smtpUrl: string | undefined
  /** Absent, in development: the address that the browser used. */
  publicUrl: string | undefined
  /** The proxies that are trusted to report a browser's address, as addresses or networks. */
  trustedProxies: string[]
  /** On: controllers may connect over the network without TLS. */
  unencryptedUnits: 'on' | 'off'
  secretKeyFile: string
  authProvider: 'local'
  isProduction: boolean
  /** Whether refused requests become events; off in tests that compare the events of an account. */
  recordsRefusals: boolean
  logLevel: z.infer<typeof environmentSchema>['LOG_LEVEL']
}

/** Throws a ConfigError: one sentence that names the variable, the problem and the remedy. */
export function readConfig(environment: Record<string, string | undefined> = process.env): Config {
  const given = Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value?.trim() ? [[name, value.trim()]] : [])),
  )
  const parsed = environmentSchema.safeParse(given)
  if (!parsed.success) throw new ConfigError(sentence(parsed.error, given))
  const settings = parsed.data
  const dataDir = resolve(settings.DATA_DIR)
  const isProduction = settings.NODE_ENV === 'production'
  if (isProduction && settings.PUBLIC_URL === undefined) {
    throw new ConfigError(
      'PUBLIC_URL is missing: in production set it to the URL that browsers use, such as https://doors.example.com.',
    )
  }
  refuseHalfOfLogins(settings)
  return {
    port: settings.PORT,
    host: settings.HOST,
    dataDir,
    databaseUrl: settings.DATABASE_URL,
    databaseWebUrl: settings.DATABASE_WEB_URL,
    databaseSystemUrl: settings.DATABASE_SYSTEM_URL,
    databaseNotify: settings.DATABASE_NOTIFY,
    adminEmail: settings.ADMIN_EMAIL,
    adminPassword: settings.ADMIN_PASSWORD,
    isDemoEnabled: settings.DEMO === 'on' && !isProduction,
    smtpUrl: settings.SMTP_URL,
    publicUrl: settings.PUBLIC_URL?.replace(/\/$/, ''),
    trustedProxies: settings.TRUSTED_PROXIES,
    unencryptedUnits: settings.UNENCRYPTED_UNITS,
    secretKeyFile: settings.SECRET_KEY_FILE ? resolve(settings.SECRET_KEY_FILE) : join(dataDir, 'secret.key'),
    authProvider: settings.AUTH_PROVIDER,
    isProduction,
    recordsRefusals: true,
    logLevel: settings.LOG_LEVEL,
  }
}

type LoginSettings = Pick<
  z.infer<typeof environmentSchema>,
  'DATABASE_URL' | 'DATABASE_WEB_URL' | 'DATABASE_SYSTEM_URL'
>

function refuseHalfOfLogins({ DATABASE_URL, DATABASE_WEB_URL, DATABASE_SYSTEM_URL }: LoginSettings) {
  const isOneGiven = DATABASE_WEB_URL !== undefined || DATABASE_SYSTEM_URL !== undefined
  if (!isOneGiven) return
  if (DATABASE_URL !== undefined && DATABASE_WEB_URL !== undefined && DATABASE_SYSTEM_URL !== undefined) return
  throw new ConfigError(
    'DATABASE_URL, DATABASE_WEB_URL and DATABASE_SYSTEM_URL belong together: set all three, or leave out the last two to have the logins created.',
  )
}

const loginRemedy =
  'set it to the URL of DATABASE_URL with a login of its own, or leave it out to have the logins created'

const environmentSchema = z.object({
  PORT: wholeNumber('set it to a port from 0 to 65535 (0: any free one), or leave it out for 3000').default(3000),
  HOST: z.string().default('0.0.0.0'),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: url(
    ['postgres:', 'postgresql:'],
    'set it to postgres://user:password@host:5432/database, or leave it out for the embedded PostgreSQL',
  ).optional(),
  DATABASE_WEB_URL: url(['postgres:', 'postgresql:'], loginRemedy).optional(),
  DATABASE_SYSTEM_URL: url(['postgres:', 'postgresql:'], loginRemedy).optional(),
  DATABASE_NOTIFY: oneOf(['on', 'off']).default('on'),
  ADMIN_EMAIL: z
    .email('set it to the email of the first administrator, or leave it out')
    .default('admin@portcullis.example'),
  ADMIN_PASSWORD: z
    .string()
    .min(8, 'set it to at least 8 characters, or leave it out to have one created and printed at the first start')
    .optional(),
  DEMO: oneOf(['on', 'off']).default('on'),
  SMTP_URL: url(
    ['smtp:', 'smtps:'],
    'set it to smtp://user:password@host:587, or leave it out to keep emails in the outbox',
  ).optional(),
  PUBLIC_URL: url(
    ['http:', 'https:'],
    'set it to the URL that browsers use, such as https://doors.example.com, or leave it out',
  ).optional(),
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform((text) => text.split(',').map((part) => part.trim()))
    .transform((parts) => parts.filter((part) => part !== ''))
    .refine(
      (parts) => parts.every(isNetwork),
      'set it to addresses or networks, such as 10.0.0.7, 10.1.0.0/16, or leave it out',
    ),
  UNENCRYPTED_UNITS: oneOf(['on', 'off']).default('off'),
  SECRET_KEY_FILE: z.string().optional(),
  /**
   * Cognito is refused until it is implemented: a server that announces it and checks passwords itself would mislead.
   */
  AUTH_PROVIDER: z.literal('local', 'set it to local, or leave it out').default('local'),
  NODE_ENV: oneOf(['development', 'test', 'production']).default('development'),
  LOG_LEVEL: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('warn'),
})

export const settingNames: readonly string[] = Object.keys(environmentSchema.shape)

/** These may contain a password, so errors do not repeat their values. */
const secrets = ['DATABASE_URL', 'DATABASE_WEB_URL', 'DATABASE_SYSTEM_URL', 'ADMIN_PASSWORD', 'SMTP_URL']

function sentence(error: z.ZodError, given: Record<string, string>): string {
  const [first] = error.issues
  const name = String(first?.path[0])
  const wrong = secrets.includes(name) ? `${name} is not valid` : `${name} cannot be "${given[name]}"`
  return `${wrong}: ${first?.message}.`
}

function isNetwork(text: string) {
  const [address = '', prefix, ...more] = text.split('/')
  const longest = isIP(address) === 6 ? 128 : 32
  if (isIP(address) === 0 || more.length > 0) return false
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) > 0 && Number(prefix) <= longest)
}

function wholeNumber(remedy: string) {
  return z
    .string()
    .regex(/^\d{1,5}$/, remedy)
    .transform(Number)
    .refine((port) => port <= 65_535, remedy)
}

function url(protocols: string[], remedy: string) {
  return z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), remedy)
}

function oneOf<const Choice extends string>(choices: readonly Choice[]) {
  return z.enum(choices, `set it to ${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}, or leave it out`)
}
