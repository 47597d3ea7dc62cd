import { cardFormats as ownFormats } from '@portcullis/contract/collections/card-formats'
import { problem } from '@portcullis/contract/errors/problem'
import { problemOfCard } from '@portcullis/contract/errors/problem-of-card'
import { isMask } from '@portcullis/contract/sealed-numbers'
import {
  type CardFormat,
  cardFormatNames,
  cardFormats,
  decodeCard,
  encodeCard,
  namedCardFormat,
} from '@portcullis/domain/cards/card-format'
import { iButtonNumber } from '@portcullis/domain/cards/i-button'
import { parseLayout } from '@portcullis/domain/cards/parse-layout'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Transaction } from '../database/database.ts'
import { unusable } from '../errors/unusable.ts'
import type { Item } from '../history/record-history.ts'

const cardFields = z.object({
  kind: z.string(),
  number: z.string().optional(),
  format: z.string().nullable().default(null),
  facility: z.int().nullable().default(null),
  printed: z.string().nullable().default(null),
})

type Reading = { account: number; credential: Item }

/**
 * The number that a reader reads from a credential, as it is stored: of a card with a format, what follows from its printed
 * number, and of an iButton, the engraved digits. Refuses what the format cannot carry, and another number than it gives.
 */
export async function numberAsRead(tx: Transaction, { account, credential }: Reading): Promise<string> {
  const { kind, number, ...card } = cardFields.parse(credential)
  if (card.format !== null && kind === 'card') {
    const read = numberOfCard(await findFormat(tx, { account, format: card.format }), card)
    if (number !== undefined && number.toUpperCase() !== read)
      throw unusable('number', problem('number_differs', { number: read }))
    return read
  }
  const extra = (['format', 'facility', 'printed'] as const).find((field) => card[field] !== null)
  if (extra !== undefined) throw unusable(extra, problem('no_card_format'))
  if (number === undefined) throw unusable('number', problem('required'))
  if (kind === 'card') return inCaseOfFrames(number)
  if (kind !== 'iButton' || isMask(number)) return number
  const engraved = iButtonNumber(number)
  if (engraved === undefined) throw unusable('number', problem('invalid_i_button'))
  return engraved
}

/** Controllers report frames in upper case. Texts that are no frame of a format of every account are compared as they are. */
function inCaseOfFrames(number: string) {
  const upper = number.toUpperCase()
  const isFrame = cardFormatNames.some((name) => !('fault' in decodeCard(cardFormats[name], upper)))
  return isFrame ? upper : number
}

type Printed = { facility: number | null; printed: string | null }

/** The number that a reader reads from a card of the format. Refuses what the format cannot carry. */
function numberOfCard(format: CardFormat, { facility, printed }: Printed): string {
  if (printed === null) throw unusable('printed', problem('required'))
  const result = encodeCard(format, { facility, printed })
  if ('fault' in result) throw unusable(result.field, problemOfCard(result))
  return result.number
}

/** A format that every account knows, or one of this account. */
export async function findFormat(
  tx: Transaction,
  { account, format }: { account: number; format: string },
): Promise<CardFormat> {
  const named = namedCardFormat(format)
  if (named) return named
  const found = await tx.first(
    ownFormats.entitySchema.pick({ layout: true }),
    sql`select card_format_layout as layout from card_format
         where card_format_account = ${account} and card_format_id = ${format}`,
  )
  const parsed = found && parseLayout(found.layout)
  if (!parsed || 'fault' in parsed) throw unusable('format', problem('unknown_card_format'))
  return parsed
}
