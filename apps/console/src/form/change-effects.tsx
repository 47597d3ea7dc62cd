import { Button } from '@mantine/core'
import type { AccessChange } from '@portcullis/contract/change-preview'
import type { Collection } from '@portcullis/contract/collection'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../session/client.ts'
import { useAccount } from '../session/session-context.tsx'
import { isolated, listOf } from '../text/catalogue.ts'
import { text } from '../text/text.ts'
import { spanText, viewerZone, zoneInWords } from '../time/time-text.ts'
import { messageOf } from '../ui/list-notice.tsx'
import styles from './change-effects.module.css'
import type { ItemForm } from './use-item-form.ts'

/** Who would gain and lose access if the form were saved now, when the user asks. */
export function ChangeEffects<C extends Collection>({ form }: { form: ItemForm<C> }) {
  const { ref: account } = useAccount()
  const [shownFor, setShownFor] = useState<unknown>()
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: () => client.of(form.of).preview({ id: form.id, fields: form.toSend() }, { account }),
    onMutate: () => setShownFor(form.values),
  })
  const isCurrent = shownFor === form.values && !isPending
  if (!form.isDirty || !form.of.isPolicy) return null

  if (!isCurrent)
    return (
      <Button variant="default" size="xs" loading={isPending} onClick={() => mutate()}>
        {text('effects.show')}
      </Button>
    )
  if (error) return <p role="alert">{messageOf(error)}</p>
  if (!data) return null
  return (
    <section className={styles.effects} aria-label={text('effects.title')} role="status">
      {data.access ? <Effects of={data.access} /> : <p>{text('effects.tooMany')}</p>}
    </section>
  )
}

function Effects({ of: { gained, lost } }: { of: { gained: AccessChange; lost: AccessChange } }) {
  if (gained.cardholders + lost.cardholders === 0) return <p>{text('effects.none')}</p>
  return (
    <>
      <Side of={gained} is="gained" />
      <Side of={lost} is="lost" />
    </>
  )
}

function Side({ of, is }: { of: AccessChange; is: 'gained' | 'lost' }) {
  if (of.cardholders === 0) return null
  const doors = text('effects.doors', { count: of.doors })
  return (
    <>
      <h3>{text(`effects.${is}`, { count: of.cardholders, doors })}</h3>
      <ul>
        {of.changes.map((change, index) => (
          <li key={index}>
            <bdi className={styles.door}>{change.door.name}</bdi>
            <span>{cardholdersText(change)}</span>
            <span className="soft">{timesText(change)}</span>
          </li>
        ))}
        {of.moreChanges > 0 && <li className="soft">{text('form.andMore', { count: of.moreChanges })}</li>}
      </ul>
    </>
  )
}

type Change = AccessChange['changes'][number]

const shown = 5

function cardholdersText({ cardholders: { total, items } }: Change) {
  const names = items.slice(0, shown).map(({ name }) => isolated(name))
  if (names.length === 0) return text('effects.hidden', { count: total })
  return listOf(total > names.length ? [...names, text('form.andMore', { count: total - names.length })] : names)
}

const shownTimes = 3

/** In the zone of the door's site, which is named if it is another than the reader's. */
function timesText({ times, moreTimes, timeZone }: Change) {
  const [first] = times
  const isAlways = first?.until === null && Date.parse(first.from) <= Date.now()
  if (isAlways) return text('effects.always')
  const more = times.length - shownTimes + moreTimes
  const words = times.slice(0, shownTimes).map((span) => spanText(span, timeZone))
  const all = listOf(more > 0 ? [...words, text('form.andMore', { count: more })] : words)
  return timeZone === viewerZone ? all : `${all} (${zoneInWords(timeZone)})`
}
