import { type ReasonCode, reasonCodes } from '@portcullis/domain/decision/reasons'
import { type Phrase, phrase } from '../text/phrase.ts'
import { decimal } from '../text/catalogue.ts'
import { text } from '../text/text.ts'
import { clock, duration, near, weekday } from '../time/site-time.ts'
import { decisionChecks } from '../why/why-checks.ts'
import { headline } from '../why/why-headline.ts'
import { story } from '../why/why-story.ts'
import { type Asked, type Check, check, tellingOf, type Telling } from '../why/why-telling.ts'

/** Why it came out as it did: in one line, in a paragraph, and check by check. */
export type Why = { headline: string; story: readonly Phrase[]; checks: readonly Check[] }

export function whySentences(asked: Asked): Why {
  const telling = tellingOf(asked)
  return {
    headline: headline(telling),
    story: story(telling),
    checks: [...decisionChecks(telling), ...unitChecks(telling), ...timeNotes(telling)],
  }
}

/** Whether the controller decided by the policy in force. */
function unitChecks({ event }: Telling): Check[] {
  const { outcome, policyVersion, reason, data } = event
  if (event.category !== 'access' || outcome === null) return []
  const version = policyVersion === null ? undefined : decimal.format(policyVersion)
  const ownReason = data.unitReason
  const isOther = ownReason && ownReason !== reason
  const said = isOther ? [phrase('why.check.unitSaid', { reason: reasonWords(ownReason) })] : []
  if (data.outOfStep) {
    const did = text(outcome === 'granted' ? 'why.check.didGrant' : 'why.check.didDeny')
    const by = version === undefined ? [] : [text('why.check.outOfStepPolicy', { version })]
    return [check('refused', text('why.check.outOfStep', { did }), [...said, ...by])]
  }
  const line = version === undefined ? text('why.check.inStepUnknown') : text('why.check.inStep', { version })
  return [check('passed', line, said)]
}

function timeNotes({ event, timeZone }: Telling): Check[] {
  const { occurredAt, receivedAt, backfilled, data } = event
  const notes: Check[] = []
  if (backfilled) {
    const time = near(receivedAt, { at: occurredAt, timeZone })
    const late = duration(Date.parse(receivedAt) - Date.parse(occurredAt))
    notes.push(check('noted', text('why.check.backfilled', { time, late }), [text('why.check.backfilledWhy')]))
  }
  if (data.clockWrong) {
    const told = data.deviceTime
    const time = told === undefined ? '–' : deviceTime(told, timeZone)
    notes.push(check('noted', text('why.check.clockWrong'), [text('why.check.clockWrongWhy', { time })]))
  }
  return notes
}

/** What a device calls the time is shown as it is where it is no time at all. */
function deviceTime(told: string, timeZone: string) {
  if (Number.isNaN(Date.parse(told))) return told
  return `${weekday(told, timeZone)} ${new Date(told).getUTCFullYear()}, ${clock(told, timeZone)}`
}

/** A unit may tell a reason that this console does not know yet. */
function reasonWords(code: string) {
  return isReason(code) ? text(`reason.${code}`) : code
}

function isReason(code: string): code is ReasonCode {
  return reasonCodes.some((known) => known === code)
}
