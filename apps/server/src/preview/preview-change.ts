import { isAllowed, type Subject } from '@portcullis/contract/abilities'
import { maxNamedCardholders } from '@portcullis/contract/calls/unit-difference'
import type { ChangePreview } from '@portcullis/contract/change-preview'
import { doors } from '@portcullis/contract/collections/doors'
import { schedules } from '@portcullis/contract/collections/schedules'
import { units } from '@portcullis/contract/collections/units'
import { users } from '@portcullis/contract/collections/users'
import { membershipKey, type PolicyIndex } from '@portcullis/domain/decision/policy-index'
import sql from 'sql-template-tag'
import type { Access } from '../abilities/access.ts'
import type { Database } from '../database/database.ts'
import { FairTurns } from '../limits/fair-turns.ts'
import type { Policies } from '../policy/policies.ts'
import { type LackOfRoom, roomAfter } from './room-after.ts'
import { type TriedPolicy, tryChange, withTried, type Write } from './try-change.ts'

export type PreviewChange = (access: Access, write: Write) => Promise<ChangePreview>

/** Each may compile many units. */
const turns = { most: 2, ofKey: 50 } as const

/** Finds what a change would do, and stores nothing. */
export function makePreviewChange({ database, policies }: { database: Database; policies: Policies }): PreviewChange {
  const previews = new FairTurns(turns)
  return (access, write) =>
    previews.take(`${access.account.root}`, async () => {
      const { key, root } = access.account
      const tried = await tryChange(database, access, write)
      if (tried.length === 0) return { noRoom: [], notExamined: 0 }
      await policies.latestOfAccount(key)
      const inPolicy = <T>(work: (after: TriedPolicy) => Promise<T>) =>
        policies.whileUnchanged(root, async ({ index }) => work(withTried(index, { tried, access })))
      const { lacks, notExamined } = await roomAfter(database, { root, tried, inPolicy })
      if (lacks.length === 0) return { noRoom: [], notExamined }
      return inPolicy(async ({ index }) => {
        const name = await makeNames(database, { index, access })
        return { noRoom: lacks.map((lack) => named(lack, name)), notExamined }
      })
    })
}

type Names = Awaited<ReturnType<typeof makeNames>>
type Found = { readonly _id: string; readonly name: string; readonly account: string }
type Visible = { subject: Subject; items: readonly (Found | undefined)[] }

/** Names as they will be, of items that the request may see. */
async function makeNames(
  database: Database,
  { index, access: { covered, rules } }: { index: PolicyIndex; access: Access },
) {
  const cells = await database.asSystem((tx) =>
    tx.cells(sql`select account_id from account where account_key = any(${[...covered]}::int[])`),
  )
  const accounts = new Set(cells.map(([id]) => id))
  const visible = ({ subject, items }: Visible) =>
    isAllowed(rules, { action: 'view', subject })
      ? items
          .flatMap((item) => (item && accounts.has(item.account) ? [item] : []))
          .map(({ _id, name, account }) => ({ _id, name, account }))
          .sort((one, other) => (one.name < other.name ? -1 : 1))
      : []
  return {
    unit: (id: string) => visible({ ...units, items: [index.units.get(id)] })[0]?.name ?? null,
    doors: (ids: readonly string[]) => visible({ ...doors, items: ids.map((id) => index.doors.get(id)) }),
    schedules: (ids: readonly string[]) =>
      visible({ ...schedules, items: ids.map((id) => index.storedSchedules.get(id)) }),
    cardholders: (keys: readonly string[]) =>
      visible({ ...users, items: keys.map((key) => memberIn(index, key)) }).slice(0, maxNamedCardholders),
  }
}

function memberIn(index: PolicyIndex, key: string) {
  const [user = ''] = key.split('@')
  return index.membershipsOfUser.get(user)?.find(({ _id, account }) => membershipKey(_id, account) === key)
}

function named({ id, capacity, needs, more }: LackOfRoom, name: Names): ChangePreview['noRoom'][number] {
  return {
    _id: id,
    name: name.unit(id),
    capacity,
    needs,
    cardholders: { total: more.total, items: name.cardholders(more.holderKeys) },
    doors: name.doors(more.doors),
    schedules: name.schedules(more.schedules),
  }
}
