import { Button, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { credentials } from '@portcullis/contract/collections/credentials'
import { ReadAtDoor } from '../cards/read-at-door.tsx'
import type { UnknownCardRead } from '../cards/unknown-card.ts'
import { useList } from '../item/use-list.ts'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'

type Props = { onChoose: (card: UnknownCardRead) => void; isPending: boolean }

const most = 20

/** A card that no user has: one of the unassigned ones, or one that is presented at a door. */
export function FreeCard({ onChoose, isPending }: Props) {
  const seesEvents = useCan('view', 'Access Events')
  const [isReading, reading] = useDisclosure(false)
  const filter = { kind: 'card', status: 'active', user: { exists: false } }
  const { data } = useList(credentials, { filter, size: most })
  const free = (data?.items ?? []).flatMap(({ _id, number, printed }) =>
    number === null ? [] : [{ credential: _id, number, label: printed ?? number }],
  )
  return (
    <Stack gap={8}>
      {data && free.length === 0 && <p className="soft">{text('credentials.noFreeCards')}</p>}
      {free.map(({ credential, number, label }) => (
        <Button
          key={credential}
          variant="default"
          disabled={isPending}
          onClick={() => onChoose({ credential, number, kind: 'card' })}
        >
          {label}
        </Button>
      ))}
      {isReading && (
        <ReadAtDoor
          onClose={reading.close}
          onRead={(card) => {
            reading.close()
            onChoose(card)
          }}
        />
      )}
      {!isReading && seesEvents && (
        <Button variant="default" disabled={isPending} onClick={reading.open}>
          {text('cards.readAtDoorNow')}
        </Button>
      )}
    </Stack>
  )
}
