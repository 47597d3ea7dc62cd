import { ConfigError } from './config-error.ts'
import { readConfig } from './config.ts'
import { startServer } from './start-server.ts'

try {
  const server = await startServer(readConfig(), (sentence) => console.log(sentence))
  let isStopping = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (isStopping) return
      isStopping = true
      console.log('Stopping.')
      server.stop().then(
        () => process.exit(0),
        () => process.exit(1),
      )
    })
  }
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error)
  process.exit(1)
}
