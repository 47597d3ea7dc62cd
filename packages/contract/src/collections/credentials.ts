import { credentialStatuses } from '@portcullis/domain/policy'
import { z } from 'zod'
import { fieldCode } from '../errors/field-codes.ts'
import { defineCollection } from '../collection.ts'
import { type Guard, guarded, instant, reference } from '../fields.ts'

export const credentialKinds = ['card', 'pin', 'iButton', 'qr', 'mobile'] as const

const guard: Guard = { subject: 'iButton', where: { field: 'kind', is: 'iButton' } }

const number = guarded(
  z
    .string()
    .trim()
    .regex(/^[0-9A-Za-z][0-9A-Za-z-]{0,63}$/, fieldCode('invalid_credential_number')),
  guard,
)

/** A number as it is read: that of a QR code or a phone is masked. */
export const readNumber = guarded(
  z
    .string()
    .trim()
    .regex(/^([0-9A-Za-z][0-9A-Za-z-]{0,63}|••••[0-9A-Za-z-]{0,4})$/, fieldCode('invalid_credential_number')),
  guard,
)

const definition = defineCollection({
  name: 'credentials',
  entity: 'credential',
  subject: 'Users',
  fields: {
    required: {
      kind: z.enum(credentialKinds),
      number,
    },
    optional: {
      user: reference('users').nullable().default(null),
      status: z.enum(credentialStatuses).default('active'),
      /** Of a PIN: it opens the door and raises a silent alarm. */
      duress: z.boolean().default(false),
      validFrom: instant().nullable().default(null),
      validUntil: instant().nullable().default(null),
    },
  },
  searchable: ['number'],
  queryable: ['kind', 'number', 'user', 'status', 'validFrom', 'validUntil'],
})

/**
 * An item that a cardholder presents at a reader. A number is unique among the credentials of its account; it is null
 * in responses to users who may not see it, and masked in all responses for PINs, QR codes and phones. A patch may send the
 * mask back as it was read.
 */
export const credentials = {
  ...definition,
  entitySchema: definition.entitySchema.extend({ number: readNumber.nullable() }),
  patchSchema: definition.patchSchema.extend({ number: readNumber.optional() }),
}
