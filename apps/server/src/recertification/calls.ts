import {
  countRecertifyable,
  recertify as recertifyCall,
  recertifyable,
  type Recertifyable,
  type RecertifyableList,
  type RecertifyableSort,
  recertifyableSort,
  type RecertifyDecision,
} from '@portcullis/contract/calls/recertification'
import type { EventNote } from '@portcullis/contract/event-notes'
import type { FastifyInstance } from 'fastify'
import { users } from '@portcullis/contract/collections/users'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { recertifyBy } from '@portcullis/domain/decision/holder-facts'
import { isOverdue } from '@portcullis/domain/decision/holder-finding'
import { z } from 'zod'
import type { CollectionHooks, Writing } from '../collections/collection-hooks.ts'
import type { Database } from '../database/database.ts'
import type { ServeCall } from '../http/serve-call.ts'
import { countDue, maxCounted } from './count-due.ts'
import { type Access, demand } from '../abilities/access.ts'
import { askAs, workAs } from '../abilities/access-proof.ts'
import { recordChanges } from '../changes/record-change.ts'
import { patchItem } from '../collections/patch.ts'
import type { Item } from '../history/record-history.ts'
import { AppError } from '../errors/app-error.ts'
import { parseCount } from '../collections/count.ts'
import { jsonOf } from '../query/list-request.ts'
import { periodsOf } from './periods.ts'
import { selectCountOfDue, selectDue } from './select-due.ts'

type RecertificationOptions = Pick<ServeCall, 'serveProvenCall'> & {
  database: Database
  userHooks: CollectionHooks
  now: () => number
}

/** The users to recertify, and the decision about each. */
export function registerRecertification(
  app: FastifyInstance,
  { database, serveProvenCall, userHooks, now }: RecertificationOptions,
) {
  serveProvenCall(app, recertifyable, async ({ access, query }) =>
    listRecertifyable(database, { access, query, now: now() }),
  )

  serveProvenCall(app, countRecertifyable, async ({ access, query }) =>
    countDue(database, { access, query, now: now() }),
  )

  serveProvenCall(app, recertifyCall, async ({ access, path, input }) =>
    recertify(database, { access, userHooks, ...path, ...input, now: now() }),
  )
}

type RecertifyInput = {
  access: Access
  userHooks: CollectionHooks
  id: string
  decision: RecertifyDecision
  now: number
}

/**
 * Decides about a user's membership in the current account: their period starts again, or they are suspended, which
 * requires the same rights as any suspension. Users cannot decide about themselves. Controllers receive either as a
 * policy change.
 */
function recertify(database: Database, { access, userHooks, id, decision, now }: RecertifyInput) {
  const keepsAccess = decision === 'keep'
  if (!keepsAccess) demand(access, { action: 'manage', subject: users.subject })
  const hooks: CollectionHooks = {
    async beforePatch(writing, change) {
      if (change.before['_id'] === access.person._id) throw ownAccess()
      if (keepsAccess) await recordRecertified(writing, change.before)
      return (await userHooks.beforePatch?.(writing, change)) ?? {}
    },
  }
  const changes = keepsAccess ? { lastRecertifiedAt: new Date(now).toISOString() } : { status: 'suspended' }
  return workAs(database, access, (tx) =>
    patchItem(tx, { collection: users, hooks, access, id, changes, expected: undefined }),
  )
}

function ownAccess() {
  return new AppError('own_access')
}

/** Recorded as an event as well as an audit entry, because audits first ask who confirmed whose access. */
async function recordRecertified({ tx, access }: Writing, { _id, name }: Item) {
  const event = uuidv7()
  const account = access.account.key
  const note: EventNote = { code: 'recertified_by', name: access.person.name }
  const data = JSON.stringify({ names: { user: name }, note })
  await tx.run(sql`select tell_recertified(${event}, ${account}, ${_id}, ${data})`)
  await recordChanges(tx, [{ account, collection: 'events', item: event, action: 'save', isPolicy: false }])
}

type ListInput = { access: Access; query: z.output<typeof recertifyable.query>; now: number }

/** A page of the users to recertify, the most urgent first unless another order is requested. */
async function listRecertifyable(database: Database, { access, query, now }: ListInput): Promise<RecertifyableList> {
  const sort = sortOf(query.sort)
  const selection = {
    periods: await periodsOf(database, access.reads),
    query: { ...query, search: query.search.trim() },
    now,
  }
  const page = selectDue({ ...selection, sort })
  const counting = selectCountOfDue({ ...selection, most: maxCounted })
  const [rows = [], total] = await askAs(database, access, selection.query.search === '' ? [page, counting] : [page])
  const { count, exact } = await countOf(rows.length)
  return {
    items: rows.map(([text]) => personOf(text, now)),
    page: {
      size: query.size,
      totalElements: count,
      totalPages: Math.ceil(count / query.size),
      pageNumber: query.page,
      ...(exact ? {} : { totalExact: false }),
    },
  }

  /** A search reads all users, so it runs once if the page itself shows how many were found. */
  async function countOf(shown: number) {
    if (total) return parseCount(total)
    const isLast = shown < query.size && (shown > 0 || query.page === 0)
    if (isLast) return { count: query.page * query.size + shown, exact: true }
    const [counted] = await askAs(database, access, [counting])
    return parseCount(counted)
  }
}

function sortOf(text: string | undefined): RecertifyableSort {
  if (text === undefined) return { prop: 'recertifyBy', dir: 'asc' }
  return jsonOf({ parameter: 'sort', schema: recertifyableSort, text })
}

const personRow = recertifyable.output.shape.items.element
  .omit({ recertifyBy: true, isOverdue: true })
  .extend({ validFrom: z.string().nullable() })

/** The deadline is computed from the row by the same rule that the access decision uses. */
function personOf(text: string | null | undefined, now: number): Recertifyable {
  const { validFrom, ...row } = personRow.parse(JSON.parse(text ?? ''))
  const by = recertifyBy({ ...row, validFrom }, row.recertifyEveryDays)
  return { ...row, recertifyBy: by, isOverdue: isOverdue({ enforced: true, by }, now) }
}
