import type { Recertifyable, RecertifyDecision } from '@portcullis/contract/calls/recertification'
import type { BulkAction } from '../list/bulk/bulk-action.ts'
import { client } from '../session/client.ts'
import { text } from '../text/text.ts'

/** They keep their access for another period. */
export const recertifyAction: BulkAction<Recertifyable> = {
  key: 'recertify',
  label: text('recertification.recertify'),
  title: (count) => text('recertification.recertifyTitle', { count }),
  hint: text('recertification.recertifyHint'),
  run: (person) => decide(person, 'keep'),
}

/** They keep their access: for users who may manage Users. */
export const suspendAction: BulkAction<Recertifyable> = {
  key: 'suspend',
  label: text('bulk.suspend'),
  title: (count) => text('bulk.suspendTitle', { count }),
  hint: text('bulk.suspendHint'),
  isDangerous: true,
  run: (person) => decide(person, 'suspend'),
}

async function decide({ _id }: Recertifyable, decision: RecertifyDecision) {
  let entry: string | undefined
  await client.recertification.decide(_id, { decision, onRecorded: (recorded) => (entry = recorded) })
  return entry
}
