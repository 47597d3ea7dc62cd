import { Button, Loader } from '@mantine/core'
import { isAllowed } from '@portcullis/contract/abilities'
import { explorerAbilities } from '@portcullis/contract/calls/explorer'
import type { AccessSide, ChangePreview } from '@portcullis/contract/change-preview'
import type { Collection } from '@portcullis/contract/collection'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { serverNow } from '../session/server-clock.ts'
import { useSession } from '../session/session-context.tsx'
import { isolated } from '../text/catalogue.ts'
import { text } from '../text/text.ts'
import { withMore } from '../text/with-more.ts'
import { dailySpans } from '../time/daily-spans.ts'
import { viewerZone, zoneInWords } from '../time/time-text.ts'
import { messageOf } from '../ui/list-notice.tsx'
import styles from './access-effects.module.css'

/** Their changes give no access at a time, or concern all users of an account. */
const withoutEffects: readonly string[] = ['accounts', 'interlockingGroups']

type Props = {
  of: Collection
  /** What the answer is for: another value hides it. */
  change: unknown
  /** Tries the change; undefined if it is not complete. */
  ask: () => Promise<ChangePreview> | undefined
}

/** Who would gain and lose access with a change, when the user asks. */
export function AccessEffects({ of, change, ask }: Props) {
  const { rules } = useSession()
  const [shownFor, setShownFor] = useState<unknown>()
  const { mutate, isPending, data, error } = useMutation({ mutationFn: (asked: Promise<ChangePreview>) => asked })
  const mayExplore = explorerAbilities.every((ability) => isAllowed(rules, ability))
  if (!of.isPolicy || withoutEffects.includes(of.name) || !mayExplore) return null

  const isCurrent = shownFor === change && !isPending

  function show() {
    // The button stays enabled, so that it keeps the focus.
    const asked = isPending || (isCurrent && !error) ? undefined : ask()
    if (asked === undefined) return
    setShownFor(change)
    mutate(asked)
  }

  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={isPending && <Loader size={14} />}
        aria-disabled={isPending || (isCurrent && !error)}
        onClick={show}
      >
        {text('effects.show')}
      </Button>
      {isCurrent && error && <p role="alert">{messageOf(error)}</p>}
      <section className={styles.effects} aria-label={text('effects.title')} role="status">
        {isCurrent && data && (
          <div ref={scrollTo}>
            <Effects of={data} />
          </div>
        )}
      </section>
    </>
  )
}

function scrollTo(element: HTMLElement | null) {
  element?.scrollIntoView({ block: 'start' })
}

function Effects({ of }: { of: ChangePreview }) {
  if (of.access === null) return <p>{text('effects.tooMany')}</p>
  const { gained, lost } = of.access
  return (
    <>
      {gained.cardholders + lost.cardholders === 0 && <p>{text('effects.none')}</p>}
      <Total of={lost} is="lost" />
      <Total of={gained} is="gained" />
      {displaces(of) && <p>{text('effects.noRoom')}</p>}
      <Changes of={lost} title={text('effects.losing')} />
      <Changes of={gained} title={text('effects.gaining')} />
    </>
  )
}

/** Whether credentials no longer fit on a controller: those of users whom the change does not concern are not examined. */
function displaces({ noRoom, hasHiddenUnits }: ChangePreview) {
  return hasHiddenUnits || noRoom.some(({ cardholders }) => cardholders.total > 0)
}

function Total({ of, is }: { of: AccessSide; is: 'gained' | 'lost' }) {
  if (of.cardholders === 0) return null
  const doors = text('effects.doors', { count: of.doors })
  return <p className={styles.total}>{text(`effects.${is}`, { count: of.cardholders, doors })}</p>
}

function Changes({ of, title }: { of: AccessSide; title: string }) {
  if (of.cardholders === 0) return null
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {of.changes.map((change, index) => (
          <li key={index}>
            <span className={styles.door}>
              {namesText(change.doors, change.doors.length)}
              {change.direction !== 'both' && ` (${text(`rules.directions.${change.direction}`)})`}
            </span>
            <span>{cardholdersText(change)}</span>
            <span className="soft">{timesText(change)}</span>
          </li>
        ))}
        {of.moreChanges > 0 && <li className="soft">{text('form.andMore', { count: of.moreChanges })}</li>}
      </ul>
    </>
  )
}

type Change = AccessSide['changes'][number]

const shown = 5

function cardholdersText({ cardholders: { total, items } }: Change) {
  return items.length === 0 ? text('effects.hidden', { count: total }) : namesText(items, total)
}

function namesText(items: readonly { name: string }[], total: number) {
  const names = items.slice(0, shown).map(({ name }) => isolated(name))
  return withMore(names, total - names.length)
}

const shownSpans = 3
const minuteMs = 60_000

/** In the zone of the door's site, which is named if it is another than the reader's. */
function timesText({ times, moreTimes, timeZone }: Change) {
  const [first] = times
  const isAlways = first?.until === null && Date.parse(first.from) <= serverNow() + minuteMs
  if (isAlways) return text('effects.always')
  const spans = dailySpans(times, timeZone).slice(0, shownSpans)
  const more = times.length + moreTimes - spans.reduce((sum, { count }) => sum + count, 0)
  const words = spans.map((span) => span.words).join('; ')
  const all = more > 0 ? `${words} ${text('form.andMore', { count: more })}` : words
  return timeZone === viewerZone ? all : `${all} · ${zoneInWords(timeZone)}`
}
