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
import type { Access } from '../abilities/access.ts'
import { patchItem } from '../collections/patch.ts'
import type { ChangeFeed } from '../changes/change-feed.ts'
import type { Database } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import { readCommand, requestUnlockOnce } from '../commands/commands.ts'
import { makeUnitDifference } from './difference.ts'
import { requireSeenUnit } from './require-seen-unit.ts'
import { issueRecordedCode } from './enrol.ts'
import { leftOutOf } from './left-out.ts'
import { moveUnits } from './move-units.ts'
import { replaceUnit } from './replace-unit.ts'
import { requestUnitHeartbeat } from './request-heartbeat.ts'
import type { Policies } from '../policy/policies.ts'
import { accessInOf } from '../http/access-in.ts'
import type { PersonOf } from '../http/access-of.ts'
import { FairTurns } from '../limits/fair-turns.ts'
import { Turns } from '../limits/turns.ts'
import type { ServeCall } from '../http/serve-call.ts'

type RegisterUnitCallsOptions = Pick<ServeCall, 'serveCall'> & {
  database: Database
  feed: ChangeFeed
  policies: Policies
  personOf: PersonOf
}

/**
 * Each may wait for the lock of its account tree, on a connection that the sign-ins of all customers need too. An account
 * has one place in the line of its tree.
 */
const changesOfTree = { most: 1, waiting: 100 } as const
const changesOfAccount = { most: 1, waiting: 4 } as const
const previewsOfMoves = { most: 1, ofKey: 4 } as const

/**
 * The calls of units and their doors. Like the generic verbs, they change items of the current account, and read all
 * accounts that the request covers.
 */
export function registerUnitCalls(
  app: FastifyInstance,
  { database, serveCall, feed, policies, personOf }: RegisterUnitCallsOptions,
) {
  const [ofTree, ofAccount] = [new Turns(changesOfTree), new Turns(changesOfAccount)]
  const inTurn = <T>({ account: { _id, root } }: Access, work: () => Promise<T>) =>
    ofAccount.take(_id, () => ofTree.take(`${root}`, work))

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
    const issued = await inTurn(access, () => replaceUnit(database, { access, id, serial }))
    feed.hint()
    return issued
  })

  const previews = new FairTurns(previewsOfMoves)
  serveCall(app, moveCall, async ({ request, access, input }) => {
    const accessIn = accessInOf({ database, personOf }, request)
    const move = () => moveUnits({ database, policies, accessIn }, { access, request: input })
    // A dry run takes no lock, but decides for all users.
    const { account, signal } = access
    const moved = await (input.dryRun ? previews.take({ key: account._id, signal }, move) : inTurn(access, move))
    feed.hint()
    return moved
  })

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
