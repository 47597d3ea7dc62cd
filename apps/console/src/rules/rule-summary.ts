import type { RuleDirection, RuleEffect, Window } from '@portcullis/domain/policy'
import { daysInWords, hoursInWords } from '../time/hours-in-words.ts'
import { type Part, type Phrase, strong } from '../text/phrase.ts'
import { conjunction } from '../text/catalogue.ts'
import { text } from '../text/text.ts'

export type RuleSummaryInput = {
  who: readonly string[]
  where: readonly string[]
  effect: RuleEffect
  direction: RuleDirection
  /** Undefined: at all times. */
  windows: readonly Window[] | undefined
  /** The two ends, in words. */
  adhoc: { from: string; until: string } | undefined
}

/** A rule in a sentence: `Cleaners and Siobhán O'Reilly may open Loading bays on weekdays 18:00 to 23:00.` */
export function ruleSummary(rule: RuleSummaryInput): Phrase {
  const who = listed(rule.who)
  const where = listed(rule.where)
  if (who.length === 0 || where.length === 0) return [text('rules.summary.incomplete')]
  const when = `${directionWords(rule)}${hoursWords(rule)}${rule.adhoc ? text('rules.summary.adhoc', rule.adhoc) : ''}`
  const isAllow = rule.effect === 'allow'
  return [
    ...who,
    text(isAllow ? 'rules.summary.mayOpen' : 'rules.summary.mayNotOpen'),
    ...where,
    when,
    text(isAllow ? 'rules.summary.end' : 'rules.summary.endDeny'),
  ]
}

/** A list of names, each emphasised. */
function listed(names: readonly string[]): Part[] {
  return conjunction.formatToParts(names).map(({ type, value }) => (type === 'element' ? strong(value) : value))
}

function directionWords({ direction }: RuleSummaryInput) {
  return direction === 'both' ? '' : text(`rules.summary.${direction}`)
}

function hoursWords({ windows, adhoc }: RuleSummaryInput) {
  if (windows === undefined) return adhoc ? '' : text('rules.summary.always')
  if (windows.length === 0) return text('rules.summary.never')
  return text('rules.summary.on', { hours: windows.map(windowWords).join('; ') })
}

function windowWords(window: Window): string {
  const hours = hoursInWords(window)
  const days = [...new Set(window.days)].sort((a, b) => a - b).join('')
  if (days === '12345') return text('rules.summary.weekdays', { hours })
  if (days === '1234567') return text('rules.summary.everyDay', { hours })
  return text('rules.summary.onDays', { days: daysInWords(window.days), hours })
}
