import type { DecideAccess } from '@portcullis/contract/calls/explorer'
import { schedules } from '@portcullis/contract/collections/schedules'
import { InterlockNow } from '../commands/interlock-now.tsx'
import { blockingDoors, type InterlockedDoor, otherDoors, useInterlocksOf } from '../commands/use-interlocks-of.ts'
import { doorNames } from '../commands/door-names.ts'
import { StateTag } from '../ui/state-tag.tsx'
import { viewerZone, zoneInWords } from '../time/time-text.ts'
import { useItem } from '../item/use-item.ts'
import { CheckList } from '../why/check-list.tsx'
import { windowsInWords } from '../time/hours-in-words.ts'
import { PhraseText } from '../ui/phrase-text.tsx'
import { useMinute } from '../time/use-minute.ts'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import styles from './answer-panel.module.css'
import { ChangesToOpen } from './changes-to-open.tsx'
import { DaysAhead } from './days-ahead.tsx'
import { clockMinutes, weekday } from '../time/site-time.ts'
import { decisionChecks } from '../why/why-checks.ts'
import { headline } from '../why/why-headline.ts'
import { meaning } from '../why/why-story.ts'
import { type Check, type Event, kindWord, type Explanation, explanationOf } from '../why/explanation.ts'
import { type Phrase, phrase, strong } from '../text/phrase.ts'

type Props = {
  answer: DecideAccess
  /** Whether the question is about the present, so that the present state of an interlock counts. */
  isNow: boolean
}

/** The answer: in one line, then the changes that would open the door, then check by check, then the days ahead. */
export function AnswerPanel({ answer, isNow }: Props) {
  const { headline, story, checks } = answerSentences(answer, { hoursOf: useHours(answer) })
  const now = useMinute()
  const { verdict, at, door, direction, others, moreOthers } = answer
  const { timeZone } = door.site
  const interlock = useInterlock(isNow && verdict !== 'deny' ? door._id : undefined)

  return (
    <article aria-labelledby="answer">
      <header className={styles.head}>
        <VerdictTag verdict={verdict} {...interlock} />
        <h2 id="answer">
          <bdi>{headline}</bdi>
        </h2>
        <p>
          {story.map((sentence, index) => (
            <span key={`${index}`}>
              <PhraseText phrase={sentence} />{' '}
            </span>
          ))}
        </p>
        {timeZone && timeZone !== viewerZone && (
          <p className={styles.note}>{text('why.siteTime', { zone: zoneInWords(timeZone, new Date(at)) })}</p>
        )}
        {!door.readers.includes(direction) && <p className={styles.note}>{text(`explorer.noReader.${direction}`)}</p>}
        {Date.parse(at) < now.getTime() - anHourMs && <p className={styles.note}>{text('explorer.today')}</p>}
      </header>
      <div className={styles.body}>
        <div>
          <ChangesToOpen answer={answer} blocking={interlock.blocking} />
          {isNow && <InterlockNow door={door._id} className={styles.interlock} />}
          <CheckList checks={checks} />
          {others.length > 0 && (
            <section className={styles.others}>
              <h3>{text('explorer.others')}</h3>
              <ul>
                {others.map(({ credential, ...other }, index) => (
                  <li key={credential._id ?? `${index}`}>
                    {text('explorer.otherAnswer', {
                      kind: text(`why.kinds.${credential.kind}`),
                      number: credential.number ?? '',
                      answer: answerOf(other),
                    })}
                  </li>
                ))}
                {moreOthers > 0 && <li>{text('explorer.moreOthers', { count: moreOthers })}</li>}
              </ul>
            </section>
          )}
        </div>
        <DaysAhead answer={answer} />
      </div>
    </article>
  )
}

/** The other doors of its interlocks that keep a door locked now, and whether only the controller knows that of one. */
function useInterlock(door: string | undefined): Interlock {
  const { data } = useInterlocksOf(door)
  if (!data || door === undefined) return { blocking: [], isUncertain: false }
  return {
    blocking: blockingDoors(data).filter(({ _id }) => _id !== door),
    isUncertain: otherDoors(data, door).some(({ state }) => state === 'unknown'),
  }
}

type Interlock = { blocking: readonly InterlockedDoor[]; isUncertain: boolean }
type VerdictTagProps = Interlock & { verdict: DecideAccess['verdict'] }

function VerdictTag({ verdict, blocking, isUncertain }: VerdictTagProps) {
  if (blocking.length > 0)
    return (
      <StateTag state="kept_locked">{text('explorer.verdict.interlocked', { doors: doorNames(blocking) })}</StateTag>
    )
  if (isUncertain && verdict === 'grant')
    return <StateTag state="requested">{text('explorer.verdict.uncertain')}</StateTag>
  return <StateTag state={states[verdict]}>{text(`explorer.verdict.${verdict}`)}</StateTag>
}

function answerOf({ verdict, reason, noRoom }: Omit<DecideAccess['others'][number], 'credential'>) {
  if (noRoom) return text('explorer.noRoom')
  return reason ? text(`reason.${reason}`) : text(`explorer.verdict.${verdict}`)
}

const anHourMs = 3_600_000
const states = {
  grant: 'granted',
  deny: 'denied',
  needs_pin: 'requested',
  needs_second_person: 'requested',
  needs_approval: 'requested',
} as const

/** The current hours of the schedule that decides. */
function useHours({ findings }: DecideAccess) {
  const maySee = useCan('view', 'Schedules')
  const things = findings.find(({ step }) => step === 'allow_rule')?.things ?? []
  const id = things.find(({ kind }) => kind === 'schedule')?._id ?? undefined
  const { data } = useItem(schedules, maySee ? id : undefined)
  return (schedule: string) => (data?._id === schedule ? windowsInWords(data.windows) : undefined)
}

type AnswerWords = { headline: string; story: readonly Phrase[]; checks: readonly Check[] }

type Options = { hoursOf: Explanation['hoursOf'] }

/** The result and its reason: in one line, in two or three sentences, and check by check. */
function answerSentences(answer: DecideAccess, { hoursOf }: Options): AnswerWords {
  const explanation = explanationOf({ event: eventOf(answer), viewerZone, tense: 'ahead', hoursOf })
  const holdsNothing = answer.credential === null && answer.person !== null && answer.number === null
  return {
    headline: holdsNothing ? text('explorer.noCredential') : headline(explanation),
    story: [subject(answer, explanation), holdsNothing ? [text('explorer.noCredentialWhy')] : meaning(explanation)],
    checks: decisionChecks(explanation),
  }
}

function subject(answer: DecideAccess, explanation: Explanation): Phrase {
  const { at, person, credential, number, door, direction } = answer
  const { timeZone } = explanation
  const time = text('why.story.when', { day: weekday(at, timeZone), time: clockMinutes(at, timeZone) })
  const about = {
    door: strong(door.name),
    site: door.site.name ?? '',
    direction: text(direction === 'entry' ? 'why.inNames' : 'why.out'),
    time,
  }
  if (person === null) return phrase('explorer.subjectNumber', { ...about, number: number ?? '' })
  const name = strong(person.name ?? text('explorer.userOfOtherAccount'))
  if (credential === null) return phrase('explorer.subjectNothing', { ...about, person: name })
  const presented = { kind: kindWord(explanation), number: credential.number ?? number ?? '' }
  return phrase('explorer.subject', { ...about, ...presented, person: name })
}

/** Turns the answer into the event that it would become, for components that show events. */
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
