import { isAllowed } from '@portcullis/contract/abilities'
import { explorerAbilities } from '@portcullis/contract/calls/explorer'
import type { ChangePreview } from '@portcullis/contract/change-preview'
import type { LeftOutByUnit } from '@portcullis/domain/decision/left-out'
import type { PolicyIndex } from '@portcullis/domain/decision/policy-index'
import sql from 'sql-template-tag'
import type { Access } from '../abilities/access.ts'
import type { Database } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import { FairTurns } from '../limits/fair-turns.ts'
import { Turns } from '../limits/turns.ts'
import type { Policies } from '../policy/policies.ts'
import { accessAfter } from './access-after.ts'
import { namesAfter, type NamesAfter } from './names-after.ts'
import { type LackOfRoom, type LimitedUnit, limitedUnits, roomAfter } from './room-after.ts'
import { type TriedItems, tryChange, withTried, type Write } from './try-change.ts'
import { whileItLasts } from './while-it-lasts.ts'

type Preview = {
  write: Write
  /** Whether to find the access that it gives and takes away. */
  withAccess: boolean
}
export type PreviewChange = (access: Access, preview: Preview) => Promise<ChangePreview>

/** Forms ask for the room at each save, and users for the access now and then. One account tree never has all turns. */
const turnsForRoom = { most: 16, ofKey: 8 } as const
const turnsForAccess = { most: 4, ofKey: 2 } as const
/** Of one account tree. A preview that has waited for all its time is unavailable. */
const accessOfTree = { most: turnsForAccess.ofKey, waiting: 6, retryAfterSeconds: 10 } as const

/** From the beginning of the request. A form waits longer than this for the room before it saves. */
const examinedMs = { room: 1_500, access: 5_000 } as const
const patienceMs = 20_000

/** Finds what a change would do, and stores nothing. */
export function makePreviewChange({ database, policies }: { database: Database; policies: Policies }): PreviewChange {
  const [forRoom, forAccess] = [new FairTurns(turnsForRoom), new FairTurns(turnsForAccess)]
  const ofTree = new Turns(accessOfTree)
  return (access, { write, withAccess }) => {
    const { account, covered, rules, signal } = access
    const begunAt = performance.now()
    const hasTimeFor = (ms: number) => () => performance.now() < begunAt + ms
    const turn = { key: `${account.root}`, signal }
    const examine = async () => {
      // It may have waited for its turn for long.
      if (!hasTimeFor(patienceMs)()) throw new AppError('unavailable')
      const tried = await tryChange(database, access, write)
      const [limited, accounts] = await Promise.all([limitedUnits(database, account.root), idsOf(database, covered)])
      return whileItLasts(policies, {
        account,
        signal,
        hasTime: hasTimeFor(patienceMs),
        steps: (index) =>
          effectsIn(index, {
            tried,
            limited,
            accounts,
            access: { account, rules },
            withAccess,
            hasTime: hasTimeFor(withAccess ? examinedMs.access : examinedMs.room),
          }),
      })
    }
    return withAccess ? ofTree.take(turn.key, () => forAccess.take(turn, examine)) : forRoom.take(turn, examine)
  }
}

async function idsOf(database: Database, accounts: readonly number[]) {
  const cells = await database.asSystem((tx) =>
    tx.cells(sql`select account_id from account where account_key = any(${[...accounts]}::int[])`),
  )
  return new Set(cells.flatMap(([id]) => id ?? []))
}

type Effects = {
  tried: readonly TriedItems[]
  limited: readonly LimitedUnit[]
  accounts: ReadonlySet<string>
  access: Pick<Access, 'account' | 'rules'>
  withAccess: boolean
  /** For the units that might have no room. */
  hasTime: () => boolean
}

function* effectsIn(
  before: PolicyIndex,
  { tried, limited, accounts, access, withAccess, hasTime }: Effects,
): Generator<undefined, ChangePreview> {
  const policy = yield* withTried(before, { tried, access })
  const names = namesAfter({ ...policy, accounts, rules: access.rules })
  const { lacks, leftOutAfter, notExamined } = yield* roomAfter({ policy, tried, limited, hasTime })
  const leftOut = { before: leftOutIn(limited), after: leftOutAfter }
  const noRoom = lacks.flatMap((lack) => named(lack, names))
  const mayExplore = explorerAbilities.every((ability) => isAllowed(access.rules, ability))
  return {
    access: withAccess && mayExplore ? yield* accessAfter({ policy, tried, names, leftOut, now: Date.now() }) : null,
    noRoom,
    hasHiddenUnits: noRoom.length < lacks.length,
    notExamined: names.units(notExamined).length,
  }
}

function leftOutIn(limited: readonly LimitedUnit[]): LeftOutByUnit {
  return new Map(limited.flatMap(({ id, leftOut }) => (leftOut ? [[id, leftOut] as const] : [])))
}

function named({ id, capacity, needs, more }: LackOfRoom, names: NamesAfter): ChangePreview['noRoom'] {
  return names.units([id]).map(({ _id, name }) => ({
    _id,
    name,
    capacity,
    needs,
    cardholders: { total: more.total, items: names.cardholders(more.holderKeys) },
    incomplete: names
      .doors(Object.keys(more.incomplete))
      .map((door) => ({ _id: door._id, name: door.name, cardholders: more.incomplete[door._id] ?? 0 })),
    doors: names.doors(more.doors),
    schedules: names.schedules(more.schedules),
  }))
}
