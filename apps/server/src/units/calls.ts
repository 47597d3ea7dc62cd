import { moveUnits as moveCall } from '@portcullis/contract/calls/move-units'
import {
  enrolUnit,
  readDoorCommand,
  replaceUnit as replaceCall,
  requestHeartbeat,
  revokeUnit,
  unlockOnce,
} from '@portcullis/contract/calls/units'
import { leftOut } from '@portcullis/contract/calls/left-out'
import { unitDifference } from '@portcullis/contract/calls/unit-difference'
import { units } from '@portcullis/contract/collections/units'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { prove, workAs } from '../abilities/access-proof.ts'
import { patchItem } from '../collections/patch.ts'
import type { ChangeFeed } from '../changes/change-feed.ts'
import type { Database } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import { readCommand, requestUnlockOnce } from '../commands/commands.ts'
import { makeUnitDifference } from './difference.ts'
import { requireSeenUnit } from './require-seen-unit.ts'
import { issueRecordedCode } from './enrol.ts'
import { leftOutOf } from './left-out.ts'
import { replaceUnit } from './replace-unit.ts'
import { requestUnitHeartbeat } from './request-heartbeat.ts'
import type { Policies } from '../policy/policies.ts'
import type { Moves } from '../moves/make-moves.ts'
import { planMove } from '../moves/plan-move.ts'
import type { ServeCall } from '../http/serve-call.ts'

type RegisterUnitCallsOptions = Pick<ServeCall, 'serveCall'> & {
  database: Database
  feed: ChangeFeed
  policies: Policies
  moves: Moves
}

/**
 * The calls of units and their doors. Like the generic verbs, they change items of the current account, and read all
 * accounts that the request covers.
 */
export function registerUnitCalls(
  app: FastifyInstance,
  { database, serveCall, feed, policies, moves }: RegisterUnitCallsOptions,
) {
  serveCall(app, enrolUnit, async ({ access, path }) => {
    const unit = idIn(path)
    await requireSeenUnit(database, { access, unit })
    const issued = await database.asSystem(async (tx) => {
      const created = await issueRecordedCode(tx, { access, unit })
      prove(tx, access)
      return created
    })
    feed.hint()
    return issued
  })

  serveCall(app, revokeUnit, async ({ access, path: { id } }) =>
    workAs(database, access, (tx) =>
      patchItem(tx, { collection: units, hooks: {}, access, id, changes: { enrolledAt: null }, expected: undefined }),
    ),
  )

  serveCall(app, replaceCall, async ({ access, path, input: { serial } }) => {
    const id = idIn(path)
    await requireSeenUnit(database, { access, unit: id })
    const issued = await moves.inTurn(access, () => replaceUnit(database, { access, id, serial }))
    feed.hint()
    return issued
  })

  serveCall(app, moveCall, async ({ request, access, input: { unitIds, toAccount, dryRun } }) =>
    moves.move(request, {
      access,
      toAccount,
      field: 'toAccount',
      isPreview: dryRun,
      plan: (tx, places) => planMove(tx, { unitIds, ...places }),
      subject: unitIds[0] ?? '',
    }),
  )

  serveCall(app, requestHeartbeat, async ({ access, path }) => {
    const requested = await requestUnitHeartbeat(database, { access, unit: idIn(path) })
    feed.hint()
    return requested
  })

  const differenceOf = makeUnitDifference({ database, policies })
  serveCall(app, unitDifference, async ({ access, path }) => differenceOf(access, idIn(path)))

  serveCall(app, leftOut, async ({ access, path }) => leftOutOf(database, { access, unit: idIn(path) }))

  serveCall(app, unlockOnce, async ({ access, path }) => {
    const door = idIn(path)
    const { account, proof } = access
    const command = await requestUnlockOnce(database, { door, account: account.key, actor: access, proof })
    feed.hint()
    return command
  })

  serveCall(app, readDoorCommand, async ({ access, path }) => {
    const id = idIn(path)
    return database.inAccounts(access.reads, (tx) => readCommand(tx, { id, accounts: access.reads }))
  })
}

function idIn({ id }: { id: string }) {
  if (!z.uuid().safeParse(id).success) throw new AppError('not_found')
  return id
}
