import type { Collection } from '../collection.ts'
import type { ErrorCode } from '../errors.ts'

type Rules = {
  readonly create?: readonly ErrorCode[]
  readonly patch?: readonly ErrorCode[]
  readonly delete?: readonly ErrorCode[]
}

/** The rules that can refuse a change of one collection, in addition to those of all collections. */
const ownRules: Readonly<Record<string, Rules>> = {
  accounts: { delete: ['account_not_empty'] },
  doors: {
    create: ['door_has_mode'],
    patch: ['door_in_interlock', 'unlock_schedule_in_interlock', 'door_has_mode'],
    delete: ['door_has_mode'],
  },
  interlockingGroups: {
    create: ['interlock_without_unit', 'unlock_schedule_in_interlock'],
    patch: ['interlock_without_unit', 'unlock_schedule_in_interlock'],
  },
  users: { create: ['hyper_only'], patch: ['own_role', 'own_access', 'home_account_only'], delete: ['own_role'] },
}

export function rulesOf({ name }: Collection, verb: keyof Rules): readonly ErrorCode[] {
  return ownRules[name]?.[verb] ?? []
}

/** Changes since the request that prevent granting it. */
export const grantObstacles = [
  'door_left_account',
  'door_rewired',
  'door_unwired',
  'door_left_out',
  'door_disabled',
  'unit_out_of_service',
  'requester_inactive',
  'door_locked_down',
  'door_blocked',
] as const satisfies readonly ErrorCode[]

/** The errors that prevent undoing a change. */
export const undoObstacles = [
  'deleted_since',
  'already_restored',
  'changed_since',
  'nothing_to_undo',
  'not_undoable',
  'nothing_to_restore',
  'not_restorable',
  'no_longer_valid',
  ...new Set(Object.values(ownRules).flatMap((rules) => Object.values(rules).flat())),
] as const satisfies readonly ErrorCode[]
