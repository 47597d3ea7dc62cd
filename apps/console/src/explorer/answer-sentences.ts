import type { DecideAccess } from '@portcullis/contract/calls/explorer'
import { viewerZone } from '../time/time-text.ts'
import { clock, weekday } from '../time/site-time.ts'
import { decisionChecks } from '../why/why-checks.ts'
import { headline } from '../why/why-headline.ts'
import { meaning } from '../why/why-story.ts'
import { type Check, type Event, kindWord, type Telling, tellingOf } from '../why/why-telling.ts'
import { type Phrase, phrase, strong } from '../text/phrase.ts'
import { text } from '../text/text.ts'

export type AnswerWords = { headline: string; story: readonly Phrase[]; checks: readonly Check[] }

type Options = { hoursOf: Telling['hoursOf'] }

/** What would happen and why: in one line, in two or three sentences, and check by check. */
export function answerSentences(answer: DecideAccess, { hoursOf }: Options): AnswerWords {
  const telling = tellingOf({ event: eventOf(answer), viewerZone, tense: 'ahead', hoursOf })
  const holdsNothing = answer.credential === null && answer.person !== null && answer.number === null
  return {
    headline: holdsNothing ? text('explorer.noCredential') : headline(telling),
    story: [subject(answer, telling), holdsNothing ? [text('explorer.noCredentialWhy')] : meaning(telling)],
    checks: decisionChecks(telling),
  }
}

function subject(answer: DecideAccess, telling: Telling): Phrase {
  const { at, person, credential, number, door, direction } = answer
  const { timeZone } = telling
  const time = text('why.story.when', { day: weekday(at, timeZone), time: clock(at, timeZone).slice(0, 5) })
  const about = {
    door: strong(door.name),
    site: door.site.name ?? '',
    direction: text(direction === 'entry' ? 'why.inNames' : 'why.out'),
    time,
  }
  if (person === null) return phrase('explorer.subjectNumber', { ...about, number: number ?? '' })
  const name = strong(person.name ?? text('explorer.somebodyAbove'))
  if (credential === null) return phrase('explorer.subjectNothing', { ...about, person: name })
  const presented = { kind: kindWord(telling), number: credential.number ?? number ?? '' }
  return phrase('explorer.subject', { ...about, ...presented, person: name })
}

/** The answer as the event that it would become, for those who tell of events. */
function eventOf({ at, door, direction, person, number, credential, verdict, reason, findings }: DecideAccess): Event {
  const outcome = verdict === 'grant' ? 'granted' : 'denied'
  const presented = credential?.number ?? number ?? ''
  return {
    _id: door._id,
    account: door.account,
    type: `access.${outcome}`,
    category: 'access',
    severity: 'info',
    site: door.site._id,
    door: door._id,
    unit: null,
    user: person?._id ?? null,
    credential: credential?._id ?? null,
    direction,
    outcome,
    reason,
    reasons: findings,
    occurredAt: at,
    receivedAt: at,
    backfilled: false,
    policyVersion: null,
    data: {
      names: { site: door.site.name, door: door.name, user: person?.name ?? null, timeZone: door.site.timeZone },
      ...(presented === '' ? {} : { number: presented }),
    },
  }
}
