import type { eventSeverities, RemoteEventType } from '@portcullis/contract/event-types'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { type Change, recordChanges } from '../changes/record-change.ts'
import type { Transaction } from '../database/database.ts'

export type TaskKey = { id: string; account: number }

const severities: Record<RemoteEventType, (typeof eventSeverities)[number]> = {
  'access.remote_requested': 'info',
  'access.remote_granted': 'info',
  'access.remote_denied': 'notice',
  'access.remote_expired': 'notice',
}

type RecordRemoteEventsInput = { tasks: readonly TaskKey[]; type: RemoteEventType; furtherChanges?: readonly Change[] }

/**
 * Stores changes of requests as events of their accounts and publishes both. Needs a system transaction, since users
 * cannot write events. Names of users and doors are those stored with the request.
 */
export async function recordRemoteEvents(
  tx: Transaction,
  { tasks, type, furtherChanges = [] }: RecordRemoteEventsInput,
) {
  const stored = tasks.map((task) => ({ ...task, event: uuidv7() }))
  await tx.run(sql`insert into event (event_id, event_account, event_type, event_category, event_severity, event_site,
      event_door, event_unit, event_user, event_occurred_at, event_received_at, event_data)
    select event, task_account, ${type}, 'access', ${severities[type]}, site_id, task_door, task_unit, task_user,
           clock_timestamp(), clock_timestamp(),
           json_strip_nulls(json_build_object(
             'names', json_build_object('user', task_user_name, 'door', task_door_name, 'site', task_site_name,
               'unit', unit_name, 'timeZone', site_time_zone),
             'note', case when task_decided_by_name is not null
               then json_build_object('code', 'decided_by', 'name', task_decided_by_name) end))
      from unnest(${stored.map(({ id }) => id)}::uuid[], ${stored.map(({ event }) => event)}::uuid[]) stored (id, event)
      join task on task_id = id
      left join door on door_id = task_door and door_account = task_account
      left join site on site_id = door_site
      left join unit on unit_id = task_unit`)
  const saved = { action: 'save', isPolicy: false } as const
  await recordChanges(tx, [
    ...stored.map(({ id, account }) => ({ account, collection: 'tasks', item: id, ...saved })),
    ...stored.map(({ event, account }) => ({ account, collection: 'events', item: event, ...saved })),
    ...furtherChanges,
  ])
}
