/** Nothing that would start a watcher or ask a terminal, and none of the settings of a server that runs here too. */
export function testEnvironment(): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = { ...process.env, CI: '1' }
  for (const name of serverSettings) delete environment[name]
  return environment
}

const serverSettings = [
  'ADMIN_EMAIL',
  'ADMIN_PASSWORD',
  'AUTH_PROVIDER',
  'DATABASE_URL',
  'DATABASE_WEB_URL',
  'DATABASE_SYSTEM_URL',
  'DATA_DIR',
  'DEMO',
  'HOST',
  'LOG_LEVEL',
  'NODE_ENV',
  'PORT',
  'PUBLIC_URL',
  'SECRET_KEY_FILE',
  'SMTP_URL',
]
