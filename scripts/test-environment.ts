/** The environment without settings that start a watcher, wait for a terminal, or belong to a server on this machine. */
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
