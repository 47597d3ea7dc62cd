import type { ExplainedFinding } from '@portcullis/contract/calls/explorer'
import { type Phrase, phrase, strong } from '../text/phrase.ts'
import { text } from '../text/text.ts'

export type ChangeToOpen = NonNullable<ExplainedFinding['change']>

/** The changes that would make all checks pass, each once. */
export function changesOf(findings: readonly ExplainedFinding[]): ChangeToOpen[] {
  const all = findings.flatMap(({ change }) => change ?? [])
  return all.filter(({ code }, index) => all.findIndex((other) => other.code === code) === index)
}

/** A change in words: `Extend the hours of Day shift`. */
export function changeWords({ code, of }: ChangeToOpen): Phrase {
  const thing = of?.name ? strong(of.name) : text(`explorer.theThing.${of?.kind ?? 'door'}`)
  return phrase(`explorer.changes.${code}`, { thing })
}
