import { roles } from '@portcullis/contract/abilities'
import { accountStatuses } from '@portcullis/contract/collections/accounts'
import { auditActions } from '@portcullis/contract/collections/audit-logs'
import { contactNotices } from '@portcullis/contract/collections/contacts'
import { credentialKinds } from '@portcullis/contract/collections/credentials'
import { cardFormatNames } from '@portcullis/domain/cards/card-format'
import { doorStates } from '@portcullis/contract/collections/doors'
import { deliveries, taskStatuses } from '@portcullis/contract/collections/tasks'
import { unitFaults, unitStatuses } from '@portcullis/contract/collections/units'
import { allEventTypes, eventCategories } from '@portcullis/contract/event-types'
import { reasonCodes } from '@portcullis/domain/decision/reasons'
import {
  credentialStatuses,
  doorModes,
  holidayKinds,
  ruleDirections,
  ruleEffects,
  userStatuses,
} from '@portcullis/domain/policy'
import { text } from '../text/text.ts'

/** The labels of fields with a few values, by `{collection}.{field}`, for the audit log and for exported files. */
const wordsOfFields: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'accounts.status': words(accountStatuses, (status) => text(`accounts.statuses.${status}`)),
  'auditLogs.action': words(auditActions, (action) => text(`audit.actions.${action}`)),
  'contacts.notify': words(contactNotices, (notice) => text(`contacts.notifyKinds.${notice}`)),
  'credentials.kind': words(credentialKinds, (kind) => text(`credentials.kinds.${kind}`)),
  'credentials.format': words(cardFormatNames, (format) => text(`cards.formats.${format}`)),
  'credentials.status': words(credentialStatuses, (status) => text(`credentials.statuses.${status}`)),
  'doors.mode': words(doorModes, (mode) => text(`audit.values.modes.${mode}`)),
  'doors.state': words(doorStates, (state) => text(`state.${state}`)),
  'events.category': words(eventCategories, (category) => text(`events.kinds.${category}`)),
  'events.direction': words(['entry', 'exit'], (direction) => text(`rules.directions.${direction}`)),
  'events.outcome': words(['granted', 'denied'], (outcome) => text(`state.${outcome}`)),
  'events.reason': words(reasonCodes, (reason) => text(`reason.${reason}`)),
  'events.type': words(allEventTypes, (type) => text(`events.types.${type}`)),
  'holidays.kind': words(holidayKinds, (kind) => text(`holidays.kinds.${kind}`)),
  'rules.direction': words(ruleDirections, (direction) => text(`rules.directions.${direction}`)),
  'rules.effect': words(ruleEffects, (effect) => text(`state.${effect}`)),
  'tasks.delivery': words(deliveries, (delivery) => text(`remote.deliveries.${delivery}`)),
  'tasks.status': words(taskStatuses, (status) => text(`remote.statuses.${status}`)),
  'units.fault': words(unitFaults, (fault) => text(`units.faultName.${fault}`)),
  'units.status': words(unitStatuses, (status) => text(`state.${status}`)),
  'users.role': words(roles, (role) => text(`users.roles.${role}`)),
  'users.status': words(userStatuses, (status) => text(`state.${status}`)),
}

/** The labels of the values of a field; undefined if its values have none. */
export function valueWords(collection: string, field: string) {
  return wordsOfFields[`${collection}.${field}`]
}

type WordOfValueInput = { collection: string; field: string; value: unknown }

/** The label of a value that is one of a few: `Lost`, `Access manager`. */
export function wordOfValue({ collection, field, value }: WordOfValueInput): string | undefined {
  const labels = valueWords(collection, field)
  return typeof value === 'string' && labels && Object.hasOwn(labels, value) ? labels[value] : undefined
}

function words<V extends string>(values: readonly V[], word: (value: V) => string) {
  return Object.fromEntries(values.map((value) => [value, word(value)]))
}
