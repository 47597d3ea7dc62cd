import { isAllowed } from '@portcullis/contract/abilities'
import { changedKinds, type ChangeSince, maxChangesSince } from '@portcullis/contract/calls/why-then'
import { rulesForUserAtDoor } from '@portcullis/domain/decision/applying-rules'
import type { PolicyIndex } from '@portcullis/domain/decision/policy-index'
import { holidayDays } from '@portcullis/domain/time/holiday-days'
import { dayMs } from '@portcullis/domain/time/zone'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import type { Transaction } from '../database/database.ts'
import { prepared } from '../database/prepared-statements.ts'
import { afterwards } from '../history/items-as-of.ts'
import { storedLists } from '../policy/stored-policy.ts'
import type { PolicyThen } from './policy-then.ts'
import type { Scope } from './scope.ts'

type ChangesInput = { past: PolicyThen; now: PolicyIndex; access: Access; scope: Scope }

/** What has changed since a policy among the items on which the decision depended at that time, or depends now. */
export async function changesSince(tx: Transaction, { past, now, access, scope }: ChangesInput) {
  const ids = [...relevantIds(past, now)]
  const [entries, ofMembers] = await Promise.all([entriesOf(tx, past, ids), changesOfMembers(tx, past)])
  const changes = [...entries.flatMap(changeOfItem), ...ofMembers].toSorted((a, b) => b.at.localeCompare(a.at))
  const seesLog = isAllowed(access.rules, { action: 'view', subject: 'Audit Logs' })
  const seen = changes.flatMap(({ kind, id, account, entry, actorName, ...change }): ChangeSince[] => {
    if (kind === null || !scope.sees(kind, id)) return []
    const isOpen = seesLog && access.reads.includes(account)
    const source = isOpen ? { entry, actorName } : { entry: null, actorName: null }
    return [{ kind, ...scope.named(kind, id), ...change, ...source }]
  })
  const shown = seen.slice(0, maxChangesSince)
  return { changes: shown, moreChanges: changes.length - shown.length }
}

/** A change before it is hidden from users who may not see it; accounts have no kind, and are hidden from all. */
type Change = Omit<ChangeSince, '_id' | 'name' | 'kind'> & {
  kind: ChangeSince['kind'] | null
  id: string
  account: number
}

function relevantIds({ index, door, credential, user, site, at }: PolicyThen, now: PolicyIndex) {
  const given = [door?._id, credential?._id, user, site].filter((id) => typeof id === 'string')
  const ofPolicies = [index, now].flatMap((policy) => [
    ...idsAtDoor(policy, { door: door?._id ?? '', user }),
    ...holidaysAround(policy, { accounts: index.accounts, at: Date.parse(at) }),
  ])
  return new Set([...given, ...index.accounts.keys(), ...index.units.keys(), ...ofPolicies])
}

/** The unit of a door, its unlock schedule, the rules that name it and a user, and their schedules. */
function idsAtDoor(policy: PolicyIndex, { door: id, user }: { door: string; user: string | null }) {
  const door = policy.doors.get(id)
  if (!door || user === null) return []
  const rules = rulesForUserAtDoor(policy, { user, door })
  const ids = [door.unit, door.unlockSchedule ?? null, ...rules.flatMap(({ rule }) => [rule._id, rule.schedule])]
  return ids.filter((each) => each !== null)
}

/** The holidays of these accounts on the days around a moment. */
function holidaysAround(
  { holidays }: PolicyIndex,
  { accounts, at }: { accounts: ReadonlyMap<string, unknown>; at: number },
) {
  const day = Math.floor(at / dayMs)
  const own = [...holidays.values()].filter(({ account }) => accounts.has(account))
  const days = holidayDays({ holidays: own, fromDay: day - 1, untilDay: day + 2 })
  return Object.values(days).flatMap((found) => found.map(({ _id }) => _id))
}

const entryRow = z.object({
  entry: z.uuid(),
  account: z.int(),
  collection: z.string(),
  item: z.uuid(),
  action: z.enum(['create', 'patch', 'delete']),
  isUndo: z.boolean(),
  fields: z.array(z.string()),
  actorName: z.string().nullable(),
  at: z.iso.datetime(),
  position: z.number(),
})
type Entry = z.output<typeof entryRow>

const entryColumns = sql`history_id as entry, history_account as account, history_collection as collection,
  history_item as item, history_action as action, history_undoes is not null as "isUndo",
  array(select jsonb_object_keys(case when history_action = 'patch' then history_after else '{}' end)) as fields,
  history_actor_name as "actorName", history_at as at, history_position as position`
const isChange = sql`history_action in ('create', 'patch', 'delete')`
/** The console shows 50 of them. */
const maxRead = 500

function entriesOf(tx: Transaction, { accounts, at }: PolicyThen, ids: readonly string[]) {
  return tx.rows(
    entryRow,
    prepared(sql`select ${entryColumns} from history
         where history_account = any(${accounts}::int[]) and history_item = any(${ids}::uuid[])
           and history_at >= ${afterwards(at)} and ${isChange}
         order by history_at desc limit ${maxRead}`),
  )
}

function changeOfItem({ item, collection, fields: changed, action, isUndo, at, ...entry }: Entry): Change[] {
  const list = Object.values(storedLists).find((each) => each.collection.name === collection)
  const fields = changed.filter((field) => list && field in list.schema.shape && !namesOnly.has(field)).toSorted()
  if (action === 'patch' && fields.length === 0) return []
  const kind = changedKinds.find((each) => each === list?.collection.entity) ?? null
  const { account, actorName, entry: id } = entry
  return [{ kind, id: item, account, action, fields, isUndo, at, actorName, entry: id }]
}

/** No decision depends on them. */
const namesOnly = new Set(['_id', 'account', 'name', 'number'])

/** Who joined and left the groups, each with the entry of the transaction that changed it. */
async function changesOfMembers(tx: Transaction, past: PolicyThen): Promise<Change[]> {
  const own = [past.door?._id, past.user, past.site]
  const changed = past.memberships.filter(({ member, list }) => list !== 'interlockingGroups' && own.includes(member))
  const positions = changed.flatMap(({ since }) => since.map(({ position }) => position))
  if (positions.length === 0) return []
  const items = changed.flatMap(({ group, member }) => [group, member])
  const entries = await tx.rows(
    entryRow,
    prepared(sql`select ${entryColumns} from history
         where history_account = any(${past.accounts}::int[]) and history_position = any(${positions}::bigint[])
           and history_item = any(${items}::uuid[]) and history_at >= ${afterwards(past.at)} and ${isChange}`),
  )
  return changed.flatMap(({ list, group, member, account, since }) =>
    since.map(({ joined, position, at: when }): Change => {
      const same = entries.filter((each) => each.position === position && [group, member].includes(each.item))
      const [entry] = same
      return {
        kind: kindsOfGroups[list],
        id: group,
        account: entry?.account ?? account,
        action: joined ? 'joined' : 'left',
        fields: [],
        isUndo: entry?.isUndo ?? false,
        at: when,
        actorName: entry?.actorName ?? null,
        entry: entry?.entry ?? null,
      }
    }),
  )
}

const kindsOfGroups = {
  userGroups: 'userGroup',
  doorGroups: 'doorGroup',
  siteGroups: 'siteGroup',
  interlockingGroups: null,
} as const
