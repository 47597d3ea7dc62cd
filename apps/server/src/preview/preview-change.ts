import type { ChangePreview } from '@portcullis/contract/change-preview'
import type { Access } from '../abilities/access.ts'
import type { Database } from '../database/database.ts'
import { FairTurns } from '../limits/fair-turns.ts'
import type { Policies } from '../policy/policies.ts'
import { accessAfter } from './access-after.ts'
import { makeNamesAfter, type NamesAfter } from './names-after.ts'
import { type LackOfRoom, roomAfter } from './room-after.ts'
import { type TriedPolicy, tryChange, withTried, type Write } from './try-change.ts'

type Preview = {
  write: Write
  /** Whether to find the access that it gives and takes away. */
  withAccess: boolean
}
export type PreviewChange = (access: Access, preview: Preview) => Promise<ChangePreview>

/** Each may compile many units. */
const turns = { most: 2, ofKey: 50 } as const

/** Finds what a change would do, and stores nothing. */
export function makePreviewChange({ database, policies }: { database: Database; policies: Policies }): PreviewChange {
  const previews = new FairTurns(turns)
  return (access, { write, withAccess }) =>
    previews.take({ key: `${access.account.root}`, signal: access.signal }, async () => {
      const { key, root } = access.account
      const tried = await tryChange(database, access, write)
      await policies.latestOfAccount(key)
      const inPolicy = <T>(work: (after: TriedPolicy) => Promise<T>) =>
        policies.whileUnchanged(root, async ({ index }) => work(withTried(index, { tried, access })))
      const { lacks, notExamined } = await roomAfter(database, { root, tried, inPolicy })
      return inPolicy(async (policy) => {
        const names = await makeNamesAfter(database, { policy, access })
        return {
          access: withAccess ? await accessAfter({ policy, tried, names, now: Date.now() }) : null,
          noRoom: lacks.map((lack) => named(lack, names)),
          notExamined,
        }
      })
    })
}

function named({ id, capacity, needs, more }: LackOfRoom, names: NamesAfter): ChangePreview['noRoom'][number] {
  return {
    _id: id,
    name: names.unit(id),
    capacity,
    needs,
    cardholders: { total: more.total, items: names.cardholders(more.holderKeys) },
    doors: names.doors(more.doors),
    schedules: names.schedules(more.schedules),
  }
}
