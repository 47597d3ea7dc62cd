import type { ChangeSince, WhyThen as Answer } from '@portcullis/contract/calls/why-then'
import { events } from '@portcullis/contract/collections/events'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { collectionKey } from '../item/keys.ts'
import { client } from '../session/client.ts'
import { useAccount } from '../session/session-context.tsx'
import { listOf } from '../text/catalogue.ts'
import { fieldLabel } from '../text/field-label.ts'
import { type Phrase, phrase, plain, strong } from '../text/phrase.ts'
import { text } from '../text/text.ts'
import { near } from '../time/site-time.ts'
import { viewerZone } from '../time/time-text.ts'
import { Time } from '../time/time.tsx'
import { ErrorNotice } from '../ui/list-notice.tsx'
import { PhraseText } from '../ui/phrase-text.tsx'
import { SkeletonRows } from '../ui/skeleton-rows.tsx'
import { changesOf, changeWords } from '../why/change-words.ts'
import { CheckList } from '../why/check-list.tsx'
import { type Event, explanationOf } from '../why/explanation.ts'
import { decisionChecks } from '../why/why-checks.ts'
import styles from './why-then.module.css'

type Decision = NonNullable<Answer['decision']>

/** The decision of an event, made again with the rules of that time, and what has changed since. */
export function WhyThen({ event }: { event: Event }) {
  const { ref } = useAccount()
  const { data, error, refetch } = useQuery({
    queryKey: [...collectionKey(events, ref), 'whyThen', event._id],
    queryFn: ({ signal }) => client.explorer.whyThen(event._id, { signal }),
  })
  return (
    <section className={styles.then} aria-labelledby="then">
      <h3 id="then">{text('whyThen.title')}</h3>
      {data && <Found event={event} answer={data} />}
      {!data && error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonRows count={2} />}
    </section>
  )
}

function Found({ event, answer }: { event: Event; answer: Answer }) {
  const { obstacle, decision, now } = answer
  if (obstacle !== null || decision === null) return <p>{text(`whyThen.obstacle.${obstacle ?? 'no_decision'}`)}</p>
  const isSame = sameChecks(event, decision)
  return (
    <>
      <p>{[...findings(event, { answer, decision, isSame }), ...(now ? [nowWords(now)] : [])].join(' ')}</p>
      {!isSame && <CheckList checks={checksOf(event, decision)} />}
      <WouldHaveOpened decision={decision} />
      <ChangedSince event={event} answer={answer} />
    </>
  )
}

type FindingsInput = { answer: Answer; decision: Decision; isSame: boolean }

function findings(event: Event, { answer: { historyFrom, serverDecision }, decision, isSame }: FindingsInput) {
  const sentences = [isSame ? text('whyThen.same') : outcomeWords('differs', decision)]
  if (serverDecision) sentences.push(outcomeWords('server', serverDecision))
  if (historyFrom) {
    const timeZone = event.data.names.timeZone ?? viewerZone
    sentences.push(text('whyThen.historyFrom', { time: near(historyFrom, { at: event.occurredAt, timeZone }) }))
  }
  return sentences
}

function outcomeWords(of: 'differs' | 'server', { verdict, reason }: Decision) {
  if (verdict === 'grant' || reason === null) return text(`whyThen.${of}.granted`)
  return text(`whyThen.${of}.denied`, { reason: text(`reason.${reason}`) })
}

function nowWords({ verdict, reason }: NonNullable<Answer['now']>) {
  if (verdict !== 'deny') return text(`whyThen.now.${verdict}`)
  return text('whyThen.now.deny', { reason: reason === null ? '' : text(`reason.${reason}`) })
}

function checksOf(event: Event, { findings: reasons }: Pick<Decision, 'findings'>) {
  return decisionChecks(explanationOf({ event: { ...event, reasons }, viewerZone }))
}

/** Whether the checks of the event, which are already shown, say the same. */
function sameChecks(event: Event, decision: Decision) {
  const lines = (reasons: Event['reasons']) =>
    decisionChecks(explanationOf({ event: { ...event, reasons }, viewerZone })).map(({ state, line }) => [
      state,
      plain(line),
    ])
  return JSON.stringify(lines(event.reasons)) === JSON.stringify(lines(decision.findings))
}

function WouldHaveOpened({ decision }: { decision: Decision }) {
  const changes = changesOf(decision.findings)
  if (changes.length === 0) return null
  return (
    <>
      <h4 id="opened">{text('whyThen.wouldHaveOpened')}</h4>
      {changes.length === 2 && <p>{text('explorer.toOpenBoth')}</p>}
      {changes.length > 2 && <p>{text('explorer.toOpenAll', { count: changes.length })}</p>}
      <ul className={styles.list} aria-labelledby="opened">
        {changes.map((change) => (
          <li key={change.code}>
            <span>
              <PhraseText phrase={changeWords(change)} />
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

function ChangedSince({ event, answer: { changes, moreChanges } }: { event: Event; answer: Answer }) {
  const hasNone = changes.length === 0 && moreChanges === 0
  return (
    <>
      <h4 id="changed">{text('whyThen.changed')}</h4>
      {hasNone && <p>{text('whyThen.unchanged')}</p>}
      {!hasNone && (
        <ul className={styles.list} aria-labelledby="changed">
          {changes.map((change, index) => (
            <li key={`${index}`}>
              <ChangeLine change={change} zone={event.data.names.timeZone} />
            </li>
          ))}
          {moreChanges > 0 && <li>{text('whyThen.more', { count: moreChanges })}</li>}
        </ul>
      )}
    </>
  )
}

type ChangeLineProps = { change: ChangeSince; zone: string | null | undefined }

function ChangeLine({ change, zone }: ChangeLineProps) {
  const { ref } = useAccount()
  const to: string = `/${ref}/auditLogs/list`
  const { at, actorName, isUndo, entry } = change
  const more = [isUndo ? text('whyThen.undo') : '', actorName === null ? '' : text('whyThen.by', { name: actorName })]
  return (
    <>
      <span>
        <PhraseText phrase={wordsOf(change)} />
        <small>
          <Time at={at} zone={zone} siteTime="onHover" /> {more.filter((words) => words !== '').join(', ')}
        </small>
      </span>
      {entry && (
        <Link to={to} search={{ entry }}>
          {text('whyThen.show')}
        </Link>
      )}
    </>
  )
}

function wordsOf({ kind, name, action, fields }: ChangeSince): Phrase {
  const collection = collectionsOf[kind]
  const item = strong(text('whyThen.item', { kind: text(`${collection}.one`), name: name ?? '' }).trim())
  if (action !== 'patch') return phrase(`whyThen.change.${action}`, { item })
  const labels = listOf(fields.map((field) => fieldLabel(collection, field)))
  return phrase('whyThen.change.patch', { item, fields: labels })
}

const collectionsOf = {
  door: 'doors',
  unit: 'units',
  site: 'sites',
  credential: 'credentials',
  user: 'users',
  rule: 'rules',
  schedule: 'schedules',
  holiday: 'holidays',
  userGroup: 'userGroups',
  doorGroup: 'doorGroups',
  siteGroup: 'siteGroups',
} as const satisfies Record<ChangeSince['kind'], string>
