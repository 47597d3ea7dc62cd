import { z } from 'zod'

/** The database engine of this run: its URL, and the folder that contains everything the run creates. */
const engine = z.object({ url: z.string(), home: z.string() })

const name = 'PORTCULLIS_JOURNEYS_ENGINE'

/** Workers inherit the environment of the process that starts the engine. */
export function setEngine(values: z.output<typeof engine>) {
  process.env[name] = JSON.stringify(values)
}

export function engineOfRun() {
  return engine.parse(JSON.parse(process.env[name] ?? 'null'))
}
