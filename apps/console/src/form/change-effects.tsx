import { Button } from '@mantine/core'
import { isAllowed } from '@portcullis/contract/abilities'
import { explorerAbilities } from '@portcullis/contract/calls/explorer'
import type { AccessSide } from '@portcullis/contract/change-preview'
import type { Collection } from '@portcullis/contract/collection'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../session/client.ts'
import { serverNow } from '../session/server-clock.ts'
import { useAccount, useSession } from '../session/session-context.tsx'
import { isolated } from '../text/catalogue.ts'
import { text } from '../text/text.ts'
import { withMore } from '../text/with-more.ts'
import { dailySpans } from '../time/daily-spans.ts'
import { viewerZone, zoneInWords } from '../time/time-text.ts'
import { messageOf } from '../ui/list-notice.tsx'
import styles from './change-effects.module.css'
import type { ItemForm } from './use-item-form.ts'

/** Their changes give no access at a time, or concern all users of an account. */
const withoutEffects: readonly string[] = ['accounts', 'interlockingGroups']

/** Who would gain and lose access if the form were saved now, when the user asks. */
export function ChangeEffects<C extends Collection>({ form }: { form: ItemForm<C> }) {
  const { ref: account } = useAccount()
  const { rules } = useSession()
  const [shownFor, setShownFor] = useState<unknown>()
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: (fields: Record<string, unknown>) => client.of(form.of).preview({ id: form.id, fields }, { account }),
  })
  const mayExplore = explorerAbilities.every((ability) => isAllowed(rules, ability))
  if (!form.isDirty || !form.of.isPolicy || withoutEffects.includes(form.of.name) || !mayExplore) return null

  const isCurrent = shownFor === form.values && !isPending

  function show() {
    const fields = isCurrent && !error ? undefined : form.toTry()
    if (fields === undefined) return
    setShownFor(form.values)
    mutate(fields)
  }

  return (
    <>
      <Button variant="default" size="xs" loading={isPending} aria-disabled={isCurrent && !error} onClick={show}>
        {text('effects.show')}
      </Button>
      {isCurrent && error && <p role="alert">{messageOf(error)}</p>}
      <section className={styles.effects} aria-label={text('effects.title')} role="status">
        {isCurrent && data && (
          <div ref={scrollTo}>{data.access ? <Effects of={data.access} /> : <p>{text('effects.tooMany')}</p>}</div>
        )}
      </section>
    </>
  )
}

function scrollTo(element: HTMLElement | null) {
  element?.scrollIntoView({ block: 'start' })
}

function Effects({ of: { gained, lost } }: { of: { gained: AccessSide; lost: AccessSide } }) {
  if (gained.cardholders + lost.cardholders === 0) return <p>{text('effects.none')}</p>
  return (
    <>
      <Side of={gained} is="gained" />
      <Side of={lost} is="lost" />
    </>
  )
}

function Side({ of, is }: { of: AccessSide; is: 'gained' | 'lost' }) {
  if (of.cardholders === 0) return null
  const doors = text('effects.doors', { count: of.doors })
  return (
    <>
      <h3>{text(`effects.${is}`, { count: of.cardholders, doors })}</h3>
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
