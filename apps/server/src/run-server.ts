import { ConfigError } from './config-error.ts'
import { readConfig } from './config.ts'
import { type Demonstration, startServer } from './start-server.ts'
import { stopOnSignal } from './stop-on-signal.ts'

/** EX_CONFIG of `sysexits.h`: a service manager does not repeat a start with an invalid setting. */
const invalidSetting = 78

/**
 * For faults that no code has handled: a rejected promise concerns its own work, so the server continues. After an
 * exception its state is unknown, so the process ends, and `npm start` or the service manager starts it again.
 */
function logLastResort() {
  process.on('unhandledRejection', (reason) => console.error('An error was not handled:', reason))
  process.on('uncaughtException', (error) => {
    console.error('The server ends because of an error that was not handled:', error)
    process.exit(1)
  })
}

/** Runs the server as this process, until a signal ends it. */
export async function runServer(demonstration?: Demonstration) {
  const report = (sentence: string) => console.log(sentence)
  logLastResort()
  try {
    const starting = startServer(readSettings(), report, demonstration)
    stopOnSignal({ starting, report })
    const { otherKey } = await starting
    // `npm start` then starts the server again if it fails.
    if (process.connected) process.send?.('ready')
    // It ends at once: whatever it still did would use the earlier key.
    throw await otherKey
  } catch (error) {
    console.error(error instanceof ConfigError ? error.message : error)
    process.exit(1)
  }
}

/** The settings; with an invalid one the process ends, and says which. */
export function readSettings() {
  try {
    return readConfig()
  } catch (error) {
    console.error(error instanceof ConfigError ? error.message : error)
    process.exit(invalidSetting)
  }
}
