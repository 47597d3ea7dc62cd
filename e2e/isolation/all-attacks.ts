import type { Attack } from './attack.ts'
import { bodyAttacks } from './attacks/bodies.ts'
import { controllerAttacks } from './attacks/controllers.ts'
import { floodAttacks } from './attacks/floods.ts'
import { readAttacks } from './attacks/reads.ts'
import { socketAttacks } from './attacks/sockets.ts'
import { storedRowAttacks } from './attacks/stored-rows.ts'
import { upgradeAttacks } from './attacks/upgrades.ts'
import { fuzzedFrames } from './fuzz/frames.ts'
import type { Fuzzing } from './fuzz/fuzzing.ts'
import { fuzzedQueries } from './fuzz/queries.ts'
import { fuzzedRequests } from './fuzz/requests.ts'
import { fuzzedRows } from './fuzz/rows.ts'

export type FuzzingOptions = { cases: number; seed: number }

/** Every attack and the random cases, in the order in which they run. */
export function attacksFor({ cases, seed }: FuzzingOptions): readonly Attack[] {
  const random = fuzzings.map(
    ({ name, sends, share, run }): Attack => ({
      name,
      sends: `${Math.round(cases * share)} cases: ${sends}`,
      run: (estate) => run(estate, { cases: Math.round(cases * share), seed }),
    }),
  )
  return [...attacks, ...random]
}

export const fuzzings: readonly Fuzzing[] = [fuzzedFrames, fuzzedRequests, fuzzedQueries, fuzzedRows]

const attacks: readonly Attack[] = [
  ...upgradeAttacks,
  ...bodyAttacks,
  ...readAttacks,
  ...socketAttacks,
  ...floodAttacks,
  ...controllerAttacks,
  ...storedRowAttacks,
]
