import { ConfigError } from './config-error.ts'
import { readConfig } from './config.ts'
import { type Demonstration, startServer } from './start-server.ts'
import { stopOnSignal } from './stop-on-signal.ts'

/** Runs the server as this process, until a signal ends it. */
export async function runServer(demonstration?: Demonstration) {
  const tell = (sentence: string) => console.log(sentence)
  try {
    const starting = startServer(readConfig(), tell, demonstration)
    stopOnSignal({ starting, tell })
    await starting
  } catch (error) {
    console.error(error instanceof ConfigError ? error.message : error)
    process.exit(1)
  }
}
