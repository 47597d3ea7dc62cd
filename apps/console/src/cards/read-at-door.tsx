import { Button, Group, Stack } from '@mantine/core'
import { credentials } from '@portcullis/contract/collections/credentials'
import { doors } from '@portcullis/contract/collections/doors'
import { events } from '@portcullis/contract/collections/events'
import { units } from '@portcullis/contract/collections/units'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ReferencePicker } from '../form/reference-picker.tsx'
import { useItem } from '../item/use-item.ts'
import { useLive } from '../item/use-live.ts'
import { client } from '../session/client.ts'
import { useAccount, useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { unknownCard, type UnknownCardRead } from './unknown-card.ts'

type Props = { onRead: (card: UnknownCardRead) => void; onClose: () => void }

/** Takes the next card that no user has, presented at a selected door. */
export function ReadAtDoor({ onRead, onClose }: Props) {
  const [door, setDoor] = useState<string | null>(null)
  return (
    <Stack gap={8} role="group" aria-label={text('cards.readAtDoor')}>
      <ReferencePicker of={doors} label={text('cards.door')} isRequired value={door} onChange={setDoor} />
      {door !== null && <Waiting key={door} door={door} onRead={onRead} />}
      <Group justify="flex-end">
        <Button size="xs" variant="default" onClick={onClose}>
          {text('cards.stopReading')}
        </Button>
      </Group>
    </Stack>
  )
}

const patienceSeconds = 60

/** Waits for the card. Cards that users have, those that were lost, and events of an outage are not taken. */
function Waiting({ door, onRead }: { door: string; onRead: Props['onRead'] }) {
  const [left, setLeft] = useState(patienceSeconds)
  const isOver = left <= 0
  useEffect(() => {
    if (isOver) return
    const timer = setInterval(() => setLeft((seconds) => seconds - 1), 1_000)
    return () => clearInterval(timer)
  }, [isOver])
  const { ref: account } = useAccount()
  const stored = useMutation({ mutationFn: (id: string) => client.of(credentials).get(id, { account }) })
  const isEnded = stored.data && stored.data.status !== 'active'

  function take(card: UnknownCardRead) {
    if (card.credential === null) onRead(card)
    else stored.mutate(card.credential, { onSuccess: ({ status }) => status === 'active' && onRead(card) })
  }

  useLive(events, {
    newcomers: 'stay',
    haste: 'always',
    onSaved(saved) {
      const read = saved
        .filter((event) => event.door === door && !event.backfilled)
        .flatMap((event) => unknownCard(event) ?? [])
      if (read[0] && !isOver) take(read[0])
    },
  })
  return (
    <>
      <p role="status" className="soft">
        {isOver ? text('cards.nothingRead') : text('cards.present', { count: left })}
      </p>
      {isEnded && (
        <p role="alert" className="refusal">
          {text('cards.readEnded', {
            number: stored.data.number ?? '',
            status: text(`credentials.statuses.${stored.data.status}`),
          })}
        </p>
      )}
      {isOver && (
        <Button size="xs" variant="default" onClick={() => setLeft(patienceSeconds)}>
          {text('cards.readAgain')}
        </Button>
      )}
      <Offline door={door} />
    </>
  )
}

/** Says why no card can arrive from the door. */
function Offline({ door }: { door: string }) {
  const seesUnits = useCan('view', units.subject)
  const { data } = useItem(doors, door)
  const unit = data?.unit ?? undefined
  const { data: controller } = useItem(units, seesUnits ? unit : undefined)
  useLive(units, { newcomers: 'stay' })
  if (data && unit === undefined) return <p className="refusal">{text('cards.noController')}</p>
  if (!controller || controller.status === 'online') return null
  return <p className="refusal">{text('cards.offline', { unit: controller.name })}</p>
}
