import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { ConfigError } from './config-error.ts'

test('an empty environment starts on port 3000 with the embedded database, data in ./data, and a demonstration', () => {
  expect(readConfig({})).toEqual({
    port: 3000,
    host: '0.0.0.0',
    dataDir: resolve('data'),
    databaseUrl: undefined,
    databaseWebUrl: undefined,
    databaseSystemUrl: undefined,
    databaseNotify: 'on',
    adminEmail: 'admin@portcullis.example',
    adminPassword: undefined,
    isDemoEnabled: true,
    smtpUrl: undefined,
    publicUrl: undefined,
    trustedProxies: [],
    unencryptedUnits: 'off',
    secretKeyFile: resolve('data/secret.key'),
    authProvider: 'local',
    isProduction: false,
    recordsRefusals: true,
    logLevel: 'warn',
  })
})

test('an empty variable counts as absent', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: ' ' })).toEqual(readConfig({}))
})

test.for([
  [{ DEMO: 'off' }, false],
  [{ NODE_ENV: 'production', PUBLIC_URL: 'https://doors.example.com' }, false],
  [{ NODE_ENV: 'production', PUBLIC_URL: 'https://doors.example.com', DEMO: 'on' }, false],
  [{ DEMO: 'on' }, true],
] as const)('the demonstration with %o: %s', ([environment, isDemoEnabled]) => {
  expect(readConfig(environment).isDemoEnabled).toBe(isDemoEnabled)
})

test.for([
  [{ PORT: 'abc' }, /^PORT cannot be "abc": set it to a port from 0 to 65535/],
  [{ PORT: '65536' }, /^PORT cannot be "65536": /],
  [{ PORT: '-1' }, /^PORT /],
  [{ DEMO: 'yes' }, /^DEMO cannot be "yes": set it to on or off, or leave it out\.$/],
  [{ ADMIN_EMAIL: 'nobody' }, /^ADMIN_EMAIL cannot be "nobody": /],
  [{ PUBLIC_URL: 'doors.example.com' }, /^PUBLIC_URL .*https:\/\//],
  [{ NODE_ENV: 'production' }, /^PUBLIC_URL is missing: in production set it to the URL that browsers use/],
  [{ AUTH_PROVIDER: 'cognito' }, /^AUTH_PROVIDER cannot be "cognito": set it to local, or leave it out\.$/],
  [{ TRUSTED_PROXIES: 'proxy.example.com' }, /^TRUSTED_PROXIES cannot be "proxy.example.com": set it to addresses/],
  [{ TRUSTED_PROXIES: '10.0.0.0/33' }, /^TRUSTED_PROXIES /],
  [{ TRUSTED_PROXIES: '0.0.0.0/0' }, /^TRUSTED_PROXIES /],
  [{ DATABASE_WEB_URL: 'postgres://web@host/one' }, /^DATABASE_URL, DATABASE_WEB_URL and .*: set all three/],
  [{ NODE_ENV: 'producton' }, /^NODE_ENV /],
  [{ LOG_LEVEL: 'loud' }, /^LOG_LEVEL cannot be "loud": set it to trace, debug, /],
] as const)('%o is refused with an error that names the variable and the remedy', ([environment, sentence]) => {
  expect(() => readConfig(environment)).toThrow(ConfigError)
  expect(() => readConfig(environment)).toThrow(sentence)
})

test('proxies are set by address or network', () => {
  const { trustedProxies } = readConfig({ TRUSTED_PROXIES: ' 10.0.0.7,10.1.0.0/16 , fd00::/8,' })
  expect(trustedProxies).toEqual(['10.0.0.7', '10.1.0.0/16', 'fd00::/8'])
})

test.for(['DATABASE_URL', 'DATABASE_WEB_URL', 'DATABASE_SYSTEM_URL', 'ADMIN_PASSWORD', 'SMTP_URL'])(
  'an invalid %s is named without its value',
  (name) => {
    expect(() => readConfig({ [name]: 'hunt:r2' })).toThrow(name)
    expect(() => readConfig({ [name]: 'hunt:r2' })).not.toThrow('hunt')
  },
)
test('controllers without TLS are refused unless a setting allows them, outside production too', () => {
  expect(readConfig({ NODE_ENV: 'development' }).unencryptedUnits).toBe('off')
  expect(readConfig({ UNENCRYPTED_UNITS: 'on' }).unencryptedUnits).toBe('on')
  expect(() => readConfig({ UNENCRYPTED_UNITS: 'yes' })).toThrow('UNENCRYPTED_UNITS cannot be "yes"')
})
