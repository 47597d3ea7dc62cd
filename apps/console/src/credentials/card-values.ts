import { problem } from '@portcullis/contract/errors/problem'
import { problemOfCard } from '@portcullis/contract/errors/problem-of-card'
import { encodeCard, hasFacility } from '@portcullis/domain/cards/card-format'
import type { KnownFormat } from '../cards/use-card-formats.ts'
import { problemText } from '../text/error-text.ts'

type CardValues = { kind: string; format: string | null; facility: number | null; printed: string | null }

/** The number as read, or the field that is wrong; neither without a format, or while fields are empty. */
type CardInForm = { number?: string; wrong?: { field: 'facility' | 'printed'; words: string } }

/** What the values of a form say about a card. */
export function cardOf({ kind, format, facility, printed }: CardValues, formats: readonly KnownFormat[]): CardInForm {
  const known = kind === 'card' && formats.find(({ value }) => value === format)
  if (!known) return {}
  if (printed === null || printed === '') return missing('printed')
  if (facility === null && hasFacility(known.format)) return missing('facility')
  const result = encodeCard(known.format, { facility, printed })
  if ('number' in result) return result
  return wrong(result.field, problemOfCard(result))
}

export function cardErrors({ wrong: found }: CardInForm): Record<string, string> {
  return found ? { [found.field]: found.words } : {}
}

function missing(field: 'facility' | 'printed') {
  return wrong(field, problem('required'))
}

function wrong(field: 'facility' | 'printed', found: Parameters<typeof problemText>[0]): CardInForm {
  return { wrong: { field, words: problemText(found) } }
}
