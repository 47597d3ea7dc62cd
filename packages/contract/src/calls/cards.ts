import { z } from 'zod'
import { defineCall, manage, schemaNames } from '../call.ts'
import { cardFormat, facility, number } from '../collections/credentials.ts'
import { id } from '../fields.ts'

/** The maximum number of cards that one request creates: meanwhile other changes of the account tree wait. */
export const maxCards = 1_000

const last = 10 ** 15

const createdCards = z
  .object({
    created: z.int(),
    /** The printed numbers that were already there. */
    taken: z.array(z.string()),
  })
  .register(schemaNames, { id: 'CreatedCards' })
export type CreatedCards = z.output<typeof createdCards>

export const createCards = defineCall({
  id: 'create-cards',
  method: 'POST',
  path: '/api/credentials/batch',
  tag: 'credentials',
  summary: 'Create unassigned cards of a range of printed numbers',
  description: `Creates the cards from \`from\` to \`to\`, at most ${maxCards}, in one transaction. Numbers that a card of the account already has are left as they are and returned in \`taken\`; nothing is created if a credential of another kind has one. Each card has its own entry in the audit log.`,
  access: 'account',
  abilities: [manage('Users')],
  input: z.strictObject({
    format: cardFormat,
    facility: facility.nullable().default(null),
    from: z.int().min(0).max(last),
    to: z.int().min(0).max(last),
  }),
  output: createdCards,
  returns: 'How many cards were created, and which were already there.',
  errors: ['range_not_free'],
})

/** The credential to give instead: an active one that no user has, or a new one with this number as read. */
const replacement = z.union([z.strictObject({ _id: id() }), z.strictObject({ number })])

export const replaceCredential = defineCall({
  id: 'replace-credential',
  method: 'POST',
  path: '/api/credentials/{id}/replace',
  tag: 'credentials',
  summary: 'End a lost or stolen credential, and give its user another one',
  description:
    'Sets the status of an active or suspended credential, and gives its user another one of the same kind and validity, both or neither. The other one of a duress PIN is a duress PIN. Each change has its own entry in the audit log.',
  access: 'account',
  abilities: [manage('Users')],
  params: { id: 'The _id of the lost or stolen credential.' },
  input: z.strictObject({ status: z.enum(['lost', 'stolen']), by: replacement }),
  output: z.object({ _id: z.uuid(), entries: z.array(z.uuid()) }).register(schemaNames, { id: 'ReplacedCredential' }),
  returns: 'The credential that the user has now, and the entries in the order of the changes.',
  errors: ['not_found', 'credential_without_user', 'credential_ended', 'credential_not_free', 'taken'],
})
