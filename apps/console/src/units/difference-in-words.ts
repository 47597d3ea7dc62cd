import type { UnitDifference } from '@portcullis/contract/calls/unit-difference'
import { locale } from '../text/language.ts'
import { text } from '../text/text.ts'

type Count = UnitDifference['counts'][number]

const list = new Intl.ListFormat(locale, { type: 'unit' })

/** The difference of two configurations: `12 cards added, 1 schedule changed, 3 cardholders removed`. */
export function differenceInWords(counts: readonly Count[]): string {
  return list.format(counts.map(changeInWords))
}

function changeInWords({ kind, change, count }: Count) {
  if (kind === 'enabled' || kind === 'period') return text(`unitPage.differs.${kind}`)
  return text(`unitPage.differs.${kind}.${change}`, { count })
}
