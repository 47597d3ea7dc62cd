import type { askAtDoor as call } from '@portcullis/contract/calls/remote-access'
import { doors } from '@portcullis/contract/collections/doors'
import { tasks } from '@portcullis/contract/collections/tasks'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import { prove } from '../abilities/access-proof.ts'
import { readItem } from '../collections/get.ts'
import { demandRoomForDoor } from '../commands/left-out-door.ts'
import type { Database } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import { changeOfHistory, recordHistory } from '../history/record-history.ts'
import { demandRequestLimits } from './request-limits.ts'
import { storeRequest } from './store-request.ts'

type AskAtDoorInput = { access: Access; input: z.output<typeof call.input> }

const doorItem = z.object({ unit: z.uuid().nullable(), unitDoor: z.int().nullable(), enabled: z.boolean() })

/** Requests that a door of the current account be unlocked for the user; any role there suffices. */
export async function askAtDoor(database: Database, { access, input }: AskAtDoorInput) {
  const { key: account } = access.account
  const door = await database.inAccounts([account], (tx) =>
    readItem(tx, { collection: doors, accounts: [account], id: input.door }),
  )
  const { unit, unitDoor, enabled } = doorItem.parse(door)
  if (unit === null || unitDoor === null) throw new AppError('door_unwired')
  if (!enabled) throw new AppError('door_disabled')
  return database.asSystem(async (tx) => {
    await demandRoomForDoor(tx, { account, door: input.door })
    await demandRequestLimits(tx, { account, door: input.door, user: access.person._id })
    const entry = uuidv7()
    const id = await storeRequest(tx, {
      account,
      door: input.door,
      user: access.person,
      expiresAfterSeconds: input.data.expiresAfterSeconds,
      furtherChanges: () => [changeOfHistory({ id: entry, account })],
    })
    if (id === undefined) throw new AppError('not_found')
    const item = await readItem(tx, { collection: tasks, accounts: [account], id })
    await recordHistory(tx, {
      id: entry,
      access,
      account,
      collection: tasks.name,
      item: id,
      action: 'create',
      before: null,
      after: item,
      policyVersion: null,
    })
    prove(tx, access)
    return { item, entry }
  })
}
