import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { ErrorCode } from '@portcullis/contract/errors'
import type { ChangeFeed } from '../changes/change-feed.ts'
import { recordChanges } from '../changes/record-change.ts'
import type { Database, Transaction } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import { recordAdministration } from '../history/record-administration.ts'
import { userOf } from '../http/user-of-request.ts'
import type { RefusalCount, RefusalCounts } from './refusal-counts.ts'

const everyMs = 10_000
const atOnce = 200

/** A missing right, or an account that the user may not enter. */
const counted: readonly ErrorCode[] = ['forbidden', 'account_refused', 'hyper_only', 'role_out_of_reach']

/** Counts the requests of signed-in users that were refused for lack of rights. */
export function countRefusals(app: FastifyInstance, counts: RefusalCounts) {
  app.addHook('onError', async (request, _reply, error) => {
    const user = userOf(request)
    const route = `${request.method} ${request.routeOptions.url ?? ''}`
    if (user !== undefined) countRefused(counts, { user, route, error })
  })
}

/** Counts a refusal, unless it has another reason than a lack of rights. */
export function countRefused(
  counts: RefusalCounts,
  { error, ...refused }: { user: string; route: string; error: unknown },
) {
  if (error instanceof AppError && counted.includes(error.code)) counts.add(refused)
}

type RecordingOptions = { counts: RefusalCounts; database: Database; feed: ChangeFeed; log: FastifyBaseLogger }

/**
 * Records the counted refusals, one event per user and minute, in the user's home account. `stop` also records those of
 * the current minute.
 */
export function startRecordingRefusals({ counts, database, feed, log }: RecordingOptions) {
  let recording = Promise.resolve()
  const timer = setInterval(() => record('over'), everyMs)
  return {
    async stop() {
      clearInterval(timer)
      record('all')
      await recording
    },
  }

  function record(selection: 'over' | 'all') {
    recording = recording.then(() => store(selection))
  }

  async function store(selection: 'over' | 'all') {
    const left = counts.take(selection)
    while (left.length > 0) {
      const chunk = left.splice(0, atOnce)
      try {
        await database.asSystem((tx) => recordRefusals(tx, chunk))
        feed.hint()
      } catch (error) {
        counts.restore([...chunk, ...left])
        log.warn({ err: error }, 'recording refused requests failed; will retry')
        return
      }
    }
  }
}

const owner = z.object({ user: z.uuid(), account: z.int(), name: z.string() })

/** Users who have been deleted since are left out. */
async function recordRefusals(tx: Transaction, counts: readonly RefusalCount[]) {
  const users = counts.map(({ user }) => user)
  const owners = await tx.rows(
    owner,
    sql`select person_id as "user", person_home as account, person_name as name
          from person where person_id = any(${users}::uuid[])`,
  )
  const events = counts.flatMap(({ user, count, routes }) => {
    const found = owners.find((each) => each.user === user)
    if (!found) return []
    const note = { code: 'requests_refused', count, routes } as const
    const data = { names: { user: found.name }, note }
    return recordAdministration(tx, { account: found.account, type: 'administration.refused', person: user, data })
  })
  await recordChanges(tx, await Promise.all(events))
}
