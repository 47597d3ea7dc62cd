import { mkdir } from 'node:fs/promises'
import type { Database } from '@portcullis/server/database/database'
import type { CredentialNumbers } from '@portcullis/server/numbers/credential-numbers'
import { loadPolicy } from '@portcullis/server/policy/load-policy'
import { homeOfControllers } from './live/virtual-controllers.ts'
import { daysOfPast, fillPast } from './past/fill-past.ts'
import { policyInTime } from './past/policy-in-time.ts'
import { seededRandom } from './random.ts'
import { firstAccount } from './world/accounts.ts'
import { emptyInstallation, moveBeginning } from './world/beginning.ts'
import { countsOf } from './world/counts.ts'
import { describeWorld } from './world/describe-world.ts'
import { writeFloorPlanImage } from './world/floor-plans.ts'
import { writeWorld } from './world/write-world.ts'

/** Makes users, cards and habits the same in every demonstration. */
const seed = 20_261

type FillOptions = { now: Date; dataDir: string; numbers: CredentialNumbers }

/**
 * Fills an installation that has only the demonstration's first account and its administrator, in one transaction. Returns
 * a sentence with the counts; undefined if the installation holds other data.
 */
export function fillDemonstration(database: Database, { now, dataDir, numbers }: FillOptions) {
  const since = performance.now()
  return database.asSystem(async (tx) => {
    const empty = await emptyInstallation(tx, firstAccount.ref)
    if (!empty) return undefined
    await mkdir(homeOfControllers(dataDir), { recursive: true, mode: 0o700 })
    const random = seededRandom(seed)
    const chronicle = describeWorld({ ...empty, now, random })
    await writeWorld(tx, { chronicle, root: empty.root, random })
    await writeFloorPlanImage(tx, chronicle)
    await moveBeginning(tx, { ...empty, chronicle })
    // The policy is read before it is committed.
    const { index } = await loadPolicy((work) => work(tx), empty.root, numbers)
    const policies = policyInTime({
      now: index,
      entries: chronicle.entries(),
      since: now.getTime() - (daysOfPast + 1) * 86_400_000,
    })
    const events = await fillPast(tx, { policies, now, random })
    const seconds = ((performance.now() - since) / 1_000).toFixed(1)
    return `Demonstration: ${countsOf(chronicle, 'virtual controllers')}, ${events} past events (${seconds} s).`
  })
}
