import { settingNames } from '../apps/server/src/config.ts'

/** The environment without settings that start a watcher, wait for a terminal, or belong to a server on this machine. */
export function testEnvironment(): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = { ...process.env, CI: '1' }
  for (const name of settingNames) delete environment[name]
  return environment
}
