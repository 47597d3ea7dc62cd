import type { DecideAccess } from '@portcullis/contract/calls/explorer'
import { schedules } from '@portcullis/contract/collections/schedules'
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
import { answerSentences } from './answer-sentences.ts'
import { ChangesToOpen } from './changes-to-open.tsx'
import { DaysAhead } from './days-ahead.tsx'

/** What would happen: in one line, then what would have to change, then check by check, then the days ahead. */
export function AnswerPanel({ answer }: { answer: DecideAccess }) {
  const { headline, story, checks } = answerSentences(answer, { hoursOf: useHours(answer) })
  const now = useMinute()
  const { verdict, at, door, direction, others } = answer
  const { timeZone } = door.site

  return (
    <article aria-labelledby="answer">
      <header className={styles.head}>
        <StateTag state={states[verdict]}>{text(`explorer.verdict.${verdict}`)}</StateTag>
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
          <ChangesToOpen answer={answer} />
          <CheckList checks={checks} />
          {others.length > 0 && (
            <section className={styles.others}>
              <h3>{text('explorer.others')}</h3>
              <ul>
                {others.map(({ credential, verdict: other, reason }, index) => (
                  <li key={credential._id ?? `${index}`}>
                    {text('explorer.otherAnswer', {
                      kind: text(`why.kinds.${credential.kind}`),
                      number: credential.number ?? '',
                      answer: reason ? text(`reason.${reason}`) : text(`explorer.verdict.${other}`),
                    })}
                  </li>
                ))}
              </ul>
            </section>
          )}
        </div>
        <DaysAhead answer={answer} />
      </div>
    </article>
  )
}

const anHourMs = 3_600_000
const states = { grant: 'granted', deny: 'denied', needs_pin: 'requested', needs_approval: 'requested' } as const

/** The hours of the schedule that counts, as it is now. */
function useHours({ findings }: DecideAccess) {
  const maySee = useCan('view', 'Schedules')
  const things = findings.find(({ step }) => step === 'allow_rule')?.things ?? []
  const id = things.find(({ kind }) => kind === 'schedule')?._id ?? undefined
  const { data } = useItem(schedules, maySee ? id : undefined)
  return (schedule: string) => (data?._id === schedule ? windowsInWords(data.windows) : undefined)
}
