import { isAllowed } from '@portcullis/contract/abilities'
import type { DoorCommand, UnitEnrolment } from '@portcullis/contract/calls/units'
import { units } from '@portcullis/contract/collections/units'
import type { FastifyInstance } from 'fastify'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { type Access, demand } from '../abilities/access.ts'
import { prove } from '../abilities/access-proof.ts'
import type { ChangeFeed } from '../changes/change-feed.ts'
import { belongsTo } from '../query/belongs-to.ts'
import { tableOf } from '../query/columns.ts'
import type { Database } from '../database/database.ts'
import type { AccessOf } from '../http/access-of.ts'
import { AppError } from '../errors/app-error.ts'
import { readCommand, requestUnlockOnce } from '../commands/commands.ts'
import { issueEnrolmentCode } from './enrol.ts'

type Parts = { database: Database; accessOf: AccessOf; feed: ChangeFeed }

const itemParams = z.object({ id: z.uuid() })

/**
 * The calls of units and of their doors that are not of the generic kind. Like the generic verbs they act in the current
 * account only, and look wherever the request reads.
 */
export function registerUnitCalls(app: FastifyInstance, { database, accessOf, feed }: Parts) {
  app.post('/api/units/:id/enrolment', async (request): Promise<UnitEnrolment> => {
    const access = await accessOf(request)
    demand(access, { action: 'manage', subject: 'Controllers' })
    const unit = idIn(request.params, 'There is no such controller.')
    const accounts = [access.account.key]
    const isSeen = await database.inAccounts(accounts, (tx) =>
      tx.run(sql`select from unit where unit_id = ${unit} and ${belongsTo(tableOf(units), accounts)}`),
    )
    if (isSeen === 0) throw new AppError('not_found', 'There is no such controller.')
    return database.asSystem(async (tx) => {
      const issued = await issueEnrolmentCode(tx, unit)
      prove(tx, access)
      return issued
    })
  })

  app.post('/api/doors/:id/unlockOnce', async (request): Promise<DoorCommand> => {
    const access = await accessOf(request)
    demandDoorCommands(access)
    const door = idIn(request.params, 'There is no such door.')
    const { account, person, proof } = access
    const command = await requestUnlockOnce(database, { door, account: account.key, requestedBy: person._id, proof })
    feed.hint()
    return command
  })

  app.get('/api/doors/commands/:id', async (request): Promise<DoorCommand> => {
    const access = await accessOf(request)
    demandDoorCommands(access)
    const id = idIn(request.params, 'There is no such command.')
    return database.inAccounts(access.reads, (tx) => readCommand(tx, { id, accounts: access.reads }))
  })
}

/** Door commands are for who may manage remote access or the controllers themselves. */
function demandDoorCommands(access: Access) {
  if (isAllowed(access.rules, { action: 'manage', subject: 'RemoteAuth' })) return
  demand(access, { action: 'manage', subject: 'Controllers' })
}

function idIn(params: unknown, sentence: string) {
  const parsed = itemParams.safeParse(params)
  if (!parsed.success) throw new AppError('not_found', sentence)
  return parsed.data.id
}
