import { type ReasonCode, reasonCodes } from '@portcullis/domain/decision/reasons'
import { type Phrase, phrase } from '../text/phrase.ts'
import { decimal } from '../text/catalogue.ts'
import { text } from '../text/text.ts'
import { clock, duration, near, weekday } from '../time/site-time.ts'
import { decisionChecks } from '../why/why-checks.ts'
import { headline } from '../why/why-headline.ts'
import { story } from '../why/why-story.ts'
import { type ExplanationInput, type Check, check, explanationOf, type Explanation } from '../why/explanation.ts'

/** Why an event ended as it did: in one line, in a paragraph, and check by check. */
export type Why = { headline: string; story: readonly Phrase[]; checks: readonly Check[] }

export function whySentences(input: ExplanationInput): Why {
  const explanation = explanationOf(input)
  return {
    headline: headline(explanation),
    story: story(explanation),
    checks: [...decisionChecks(explanation), ...unitChecks(explanation), ...timeNotes(explanation)],
  }
}

/** Whether the controller decided by the current policy. */
function unitChecks({ event }: Explanation): Check[] {
  const { outcome, policyVersion, reason, data } = event
  if (event.category !== 'access' || outcome === null) return []
  const version = policyVersion === null ? undefined : decimal.format(policyVersion)
  const ownReason = data.unitReason
  const isOther = ownReason && ownReason !== reason
  const unitReason = isOther ? [phrase('why.check.unitSaid', { reason: reasonWords(ownReason) })] : []
  if (data.outOfStep) {
    const did = text(outcome === 'granted' ? 'why.check.didGrant' : 'why.check.didDeny')
    const by = version === undefined ? [] : [text('why.check.outOfStepPolicy', { version })]
    return [check('refused', text('why.check.outOfStep', { did }), [...unitReason, ...by])]
  }
  const line = version === undefined ? text('why.check.inStepUnknown') : text('why.check.inStep', { version })
  return [check('passed', line, unitReason)]
}

function timeNotes({ event, timeZone }: Explanation): Check[] {
  const { occurredAt, receivedAt, backfilled, data } = event
  const notes: Check[] = []
  if (backfilled) {
    const time = near(receivedAt, { at: occurredAt, timeZone })
    const late = duration(Date.parse(receivedAt) - Date.parse(occurredAt))
    notes.push(check('noted', text('why.check.backfilled', { time, late }), [text('why.check.backfilledWhy')]))
  }
  if (data.clockWrong) {
    const reported = data.deviceTime
    const time = reported === undefined ? '–' : deviceTime(reported, timeZone)
    notes.push(check('noted', text('why.check.clockWrong'), [text('why.check.clockWrongWhy', { time })]))
  }
  return notes
}

/** A device time that is no time is shown as it is. */
function deviceTime(reported: string, timeZone: string) {
  if (Number.isNaN(Date.parse(reported))) return reported
  return `${weekday(reported, timeZone)} ${new Date(reported).getUTCFullYear()}, ${clock(reported, timeZone)}`
}

/** A unit may report a reason that this console does not know yet. */
function reasonWords(code: string) {
  return isReason(code) ? text(`reason.${code}`) : code
}

function isReason(code: string): code is ReasonCode {
  return reasonCodes.some((each) => each === code)
}
