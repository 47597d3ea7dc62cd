import { cardFormats } from '@portcullis/contract/collections/card-formats'
import { type CardFormat, cardFormatNames, decodeCard, namedCardFormat } from '@portcullis/domain/cards/card-format'
import { parseLayout } from '@portcullis/domain/cards/parse-layout'
import { useList } from '../item/use-list.ts'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'

/** A format with its value in credentials, and its name in words. */
export type KnownFormat = { value: string; label: string; format: CardFormat }

const most = 100

/** The formats of cards in the account: those that every account knows, then its own. */
export function useCardFormats(): readonly KnownFormat[] {
  const seesOwn = useCan('view', cardFormats.subject)
  const { data } = useList(cardFormats, { size: most, sort: { prop: 'name', dir: 'asc' } }, { isEnabled: seesOwn })
  const own = (data?.items ?? []).flatMap(({ _id, name, layout }) => {
    const format = parseLayout(layout)
    return 'fault' in format ? [] : [{ value: _id, label: name, format }]
  })
  return [...builtIn, ...own]
}

const builtIn = cardFormatNames.flatMap((value): KnownFormat[] => {
  const format = namedCardFormat(value)
  return format ? [{ value, label: text(`cards.formats.${value}`), format }] : []
})

/** A card that a read number may be. */
type PossibleCard = { known: KnownFormat; facility: number | null; printed: string }

/** What the card with this number may have printed on it, by format. */
export function possibleCards(formats: readonly KnownFormat[], number: string): PossibleCard[] {
  return formats.flatMap((known) => {
    const card = decodeCard(known.format, number)
    return 'fault' in card ? [] : [{ known, ...card }]
  })
}

/** A card as it is printed, in words. */
export function printedText({ facility, printed }: { facility: number | null; printed: string }): string {
  return facility === null ? printed : text('cards.printed', { facility: facility.toString(), printed })
}
