import { ConfigError } from './config-error.ts'
import { readConfig } from './config.ts'
import { startServer } from './start-server.ts'
import { stopOnSignal } from './stop-on-signal.ts'

const tell = (sentence: string) => console.log(sentence)

try {
  const starting = startServer(readConfig(), tell)
  stopOnSignal({ starting, tell })
  await starting
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error)
  process.exit(1)
}
