import { Button, Stack, TextInput } from '@mantine/core'
import { useDebouncedValue, useDisclosure } from '@mantine/hooks'
import { credentials } from '@portcullis/contract/collections/credentials'
import { useState } from 'react'
import { ReadAtDoor } from '../cards/read-at-door.tsx'
import { printedText } from '../cards/use-card-formats.ts'
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
  const [search, setSearch] = useState('')
  const [searched] = useDebouncedValue(search.trim(), 200)
  const { free, more } = useFreeCards(searched)
  return (
    <Stack gap={8}>
      <TextInput
        label={text('credentials.searchFree')}
        value={search}
        onChange={({ currentTarget }) => setSearch(currentTarget.value)}
      />
      {free?.length === 0 && (
        <p className="soft">{text(searched === '' ? 'credentials.noFreeCards' : 'form.noMatches')}</p>
      )}
      {free?.map(({ credential, number, label }) => (
        <Button
          key={credential}
          variant="default"
          disabled={isPending}
          onClick={() => onChoose({ credential, number, kind: 'card' })}
        >
          {label}
        </Button>
      ))}
      {more > 0 && <p className="soft">{text('credentials.moreFree', { count: more })}</p>}
      {isReading && (
        <ReadAtDoor
          onClose={reading.close}
          onRead={(card) => {
            if (card.kind !== 'card') return
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

/** The first free cards that match, undefined while they load, and how many more there are. */
function useFreeCards(search: string) {
  const filter = { kind: 'card', status: 'active', user: { exists: false } }
  const sort = { prop: 'printed', dir: 'asc' } as const
  const { data } = useList(credentials, { filter, size: most, sort, ...(search !== '' && { search }) })
  const free = data?.items.flatMap(({ _id, number, facility, printed }) => {
    if (number === null) return []
    return [{ credential: _id, number, label: printed === null ? number : printedText({ facility, printed }) }]
  })
  return { free, more: data ? data.page.totalElements - data.items.length : 0 }
}
