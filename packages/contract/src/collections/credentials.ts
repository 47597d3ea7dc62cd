import { cardFormatNames } from '@portcullis/domain/cards/card-format'
import { credentialStatuses } from '@portcullis/domain/policy'
import { z } from 'zod'
import { fieldCode } from '../errors/field-codes.ts'
import { defineCollection } from '../collection.ts'
import { type Guard, guarded, id, instant, reference } from '../fields.ts'

export const credentialKinds = ['card', 'pin', 'iButton', 'qr', 'mobile'] as const

const guard: Guard = { subject: 'iButton', where: { field: 'kind', is: 'iButton' } }

/** The bytes of an iButton may be written with separators. */
function joined(written: string) {
  return /^[0-9A-Fa-f]{2}([ :.][0-9A-Fa-f]{2}){7}$/.test(written) ? written.replaceAll(/[ :.]/g, '') : written
}

export const number = guarded(
  z
    .string()
    .trim()
    .overwrite(joined)
    .regex(/^[0-9A-Za-z][0-9A-Za-z-]{0,63}$/, fieldCode('invalid_credential_number')),
  guard,
)

/** A number as it is read: that of a QR code or a phone is masked. */
export const readNumber = guarded(
  z
    .string()
    .trim()
    .overwrite(joined)
    .regex(/^([0-9A-Za-z][0-9A-Za-z-]{0,63}|••••[0-9A-Za-z-]{0,4})$/, fieldCode('invalid_credential_number')),
  guard,
)

/** The name of a format that every account knows, or the `_id` of a format of the account. */
export const cardFormat = z
  .string()
  .overwrite((given) => id().safeParse(given).data ?? given)
  .refine((given) => builtIn.has(given) || id().safeParse(given).success, fieldCode('unknown_card_format'))

const builtIn: ReadonlySet<string> = new Set(cardFormatNames)

/** At most 24 bits. */
export const facility = z
  .int()
  .min(0)
  .max(2 ** 24 - 1)

/** The number on a card, without leading zeros. */
export const printedNumber = z
  .string()
  .trim()
  .regex(/^\d{1,20}$/, fieldCode('not_digits'))
  .overwrite((digits) => digits.replace(/^0+(?=\d)/, ''))

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
      /** Of a card: how it carries its facility code and number. Null: only the number as read is known. */
      format: cardFormat.nullable().default(null),
      facility: facility.nullable().default(null),
      printed: printedNumber.nullable().default(null),
      validFrom: instant().nullable().default(null),
      validUntil: instant().nullable().default(null),
    },
  },
  searchable: ['number', 'printed'],
  queryable: ['kind', 'number', 'format', 'printed', 'user', 'status', 'validFrom', 'validUntil'],
})

/**
 * An item that a cardholder presents at a reader. `number` is what the reader reads; for a card with a format it follows
 * from the facility code and the number that are printed on it. A number is unique among the credentials of its account; it is null
 * in responses to users who may not see it, and masked in all responses for PINs, QR codes and phones. A patch may send the
 * mask back as it was read.
 */
export const credentials = {
  ...definition,
  entitySchema: definition.entitySchema.extend({ number: readNumber.nullable() }),
  createSchema: definition.createSchema.extend({ number: number.exactOptional() }),
  patchSchema: definition.patchSchema.extend({ number: readNumber.optional() }),
}
