import { getPriority, setPriority } from 'node:os'
import { z } from 'zod'
import { attacksFor } from './all-attacks.ts'
import type { Outcome } from './attack.ts'
import { estate } from './estate.ts'

/** The attackers' own process: runs one attack at a time, and answers with its outcome. */
const order = z.object({ name: z.string(), estate, fuzzing: z.object({ cases: z.int(), seed: z.int() }) })

// Attackers have machines of their own: here they leave the processors to the server.
setPriority(Math.min(19, getPriority() + 5))
process.on('message', (message) => void answer(order.parse(message)))
process.once('disconnect', () => process.exit())

async function answer(given: z.output<typeof order>) {
  process.send?.(await outcomeOf(given))
}

async function outcomeOf({ name, estate: world, fuzzing }: z.output<typeof order>): Promise<Outcome> {
  try {
    const attack = attacksFor(fuzzing).find((each) => each.name === name)
    return (await attack?.run(world)) ?? { happened: 'unknown', faults: [`there is no attack ${name}`] }
  } catch (error) {
    return {
      happened: 'the attack itself failed',
      faults: [error instanceof Error ? (error.stack ?? error.message) : String(error)],
    }
  }
}
