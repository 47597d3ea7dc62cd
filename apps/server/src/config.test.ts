import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { ConfigError } from './config-error.ts'

test('an empty environment starts on port 3000 with the embedded database, its data in ./data, and a demonstration', () => {
  expect(readConfig({})).toEqual({
    port: 3000,
    host: '0.0.0.0',
    dataDir: resolve('data'),
    databaseUrl: undefined,
    databaseNotify: 'on',
    adminEmail: 'admin@portcullis.example',
    adminPassword: undefined,
    isDemoWanted: true,
    smtpUrl: undefined,
    publicUrl: undefined,
    trustedProxies: [],
    secretKeyFile: resolve('data/secret.key'),
    authProvider: 'local',
    isProduction: false,
    logLevel: 'warn',
  })
})

test('a variable that is set to nothing counts as left out', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: ' ' })).toEqual(readConfig({}))
})

test.for([
  [{ DEMO: 'off' }, false],
  [{ NODE_ENV: 'production' }, false],
  [{ NODE_ENV: 'production', DEMO: 'on' }, false],
  [{ DEMO: 'on' }, true],
] as const)('the demonstration with %o: %s', ([environment, isDemoWanted]) => {
  expect(readConfig(environment).isDemoWanted).toBe(isDemoWanted)
})

test.for([
  [{ PORT: 'abc' }, /^PORT can't be "abc": set it to a port from 0 to 65535/],
  [{ PORT: '65536' }, /^PORT can't be "65536": /],
  [{ PORT: '-1' }, /^PORT /],
  [{ DEMO: 'yes' }, /^DEMO can't be "yes": set it to on or off, or leave it out\.$/],
  [{ ADMIN_EMAIL: 'nobody' }, /^ADMIN_EMAIL can't be "nobody": /],
  [{ PUBLIC_URL: 'doors.example.com' }, /^PUBLIC_URL .*https:\/\//],
  [{ AUTH_PROVIDER: 'cognito' }, /^AUTH_PROVIDER can't be "cognito": set it to local, or leave it out\.$/],
  [{ TRUSTED_PROXIES: 'proxy.example.com' }, /^TRUSTED_PROXIES can't be "proxy.example.com": set it to addresses/],
  [{ TRUSTED_PROXIES: '10.0.0.0/33' }, /^TRUSTED_PROXIES /],
  [{ TRUSTED_PROXIES: '0.0.0.0/0' }, /^TRUSTED_PROXIES /],
  [{ NODE_ENV: 'producton' }, /^NODE_ENV /],
  [{ LOG_LEVEL: 'loud' }, /^LOG_LEVEL can't be "loud": set it to trace, debug, /],
] as const)('%o is refused with a sentence that names the variable and the way out', ([environment, sentence]) => {
  expect(() => readConfig(environment)).toThrow(ConfigError)
  expect(() => readConfig(environment)).toThrow(sentence)
})

test('proxies are named by address or network', () => {
  const { trustedProxies } = readConfig({ TRUSTED_PROXIES: ' 10.0.0.7,10.1.0.0/16 , fd00::/8,' })
  expect(trustedProxies).toEqual(['10.0.0.7', '10.1.0.0/16', 'fd00::/8'])
})

test.for(['DATABASE_URL', 'ADMIN_PASSWORD', 'SMTP_URL'])('a wrong %s is named without repeating it', (name) => {
  expect(() => readConfig({ [name]: 'hunt:r2' })).toThrow(name)
  expect(() => readConfig({ [name]: 'hunt:r2' })).not.toThrow('hunt')
})
