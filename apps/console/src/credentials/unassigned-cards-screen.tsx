import { Button, Group, Modal, NumberInput, Select, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { CreatedCards } from '@portcullis/contract/calls/cards'
import type { EntityOf } from '@portcullis/contract/collection'
import { credentials } from '@portcullis/contract/collections/credentials'
import { hasFacility } from '@portcullis/domain/cards/card-format'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { AssignCard } from '../cards/assign-card.tsx'
import type { UnknownCardRead } from '../cards/unknown-card.ts'
import { printedText, useCardFormats } from '../cards/use-card-formats.ts'
import { collectionKey } from '../item/keys.ts'
import { deleteAction } from '../list/bulk/bulk-action.ts'
import { CollectionTable } from '../list/collection-table.tsx'
import type { Column } from '../list/data-table.tsx'
import { userTabs } from '../navigation/user-tabs.ts'
import { client } from '../session/client.ts'
import { useAccount, useCan } from '../session/session-context.tsx'
import { fieldErrorText } from '../text/error-text.ts'
import { listOf } from '../text/catalogue.ts'
import { text } from '../text/text.ts'
import { messageOf } from '../ui/list-notice.tsx'
import { Screen } from '../ui/screen.tsx'
import { ScreenTabs } from '../ui/screen-tabs.tsx'

type Credential = EntityOf<typeof credentials>

const columns: Column<Credential>[] = [
  {
    key: 'printed',
    sort: 'printed',
    phone: 'title',
    width: '30%',
    cell: ({ printed, facility, number }) =>
      printed === null ? (number ?? text('credentials.hiddenNumber')) : printedText({ facility, printed }),
  },
  { key: 'number', sort: 'number', phone: 'line', cell: ({ number }) => number },
  { key: 'kind', sort: 'kind', phone: 'line', width: '140px', cell: ({ kind }) => text(`credentials.kinds.${kind}`) },
  {
    key: 'status',
    sort: 'status',
    phone: 'aside',
    width: '140px',
    cell: ({ status }) => text(`credentials.statuses.${status}`),
  },
]

const remove = [deleteAction({ of: credentials, title: (count) => text('bulk.delete.credentials', { count }) })]

/** The cards that no user has. */
export function UnassignedCardsScreen() {
  const canManage = useCan('manage', 'Users')
  const [isAdding, adding] = useDisclosure(false)
  const [chosen, setChosen] = useState<UnknownCardRead>()
  const add = canManage && <Button onClick={adding.open}>{text('credentials.addRange')}</Button>
  return (
    <Screen
      title={text('credentials.unassigned')}
      beside={<ScreenTabs label={text('users.all')} tabs={userTabs} />}
      actions={add}
    >
      <CollectionTable
        of={credentials}
        label={text('credentials.unassigned')}
        list="credentials.unassigned"
        within={{ user: { exists: false } }}
        columns={columns}
        bulk={canManage ? remove : []}
        {...(canManage && { onOpen: (row: Credential) => setChosen(readOf(row)) })}
        sort={{ prop: 'printed', dir: 'asc' }}
        rowName={({ number }) => number ?? text('credentials.hiddenNumber')}
        empty={{ title: text('credentials.noneUnassigned'), hint: text('credentials.noneUnassignedHint'), action: add }}
      />
      {chosen && <AssignCard card={chosen} onClose={() => setChosen(undefined)} />}
      {isAdding && <AddRange onClose={adding.close} />}
    </Screen>
  )
}

/** As if the card had been presented. Only the numbers of cards are numbers of a format. */
function readOf({ _id, number, kind }: Credential): UnknownCardRead {
  return {
    number: number ?? text('credentials.hiddenNumber'),
    kind: kind === 'card' ? 'card' : 'iButton',
    credential: _id,
  }
}

const rangeFields = ['format', 'facility', 'from', 'to']

/** Creates cards by the numbers that are printed on them. */
function AddRange({ onClose }: { onClose: () => void }) {
  const { ref } = useAccount()
  const queryClient = useQueryClient()
  const formats = useCardFormats()
  const [name, setName] = useState('wiegand26')
  const [facility, setFacility] = useState<number | null>(null)
  const [from, setFrom] = useState<number | null>(null)
  const [to, setTo] = useState<number | null>(null)
  const format = formats.find(({ value }) => value === name)?.format
  const isWithFacility = format !== undefined && hasFacility(format)
  const create = useMutation({
    mutationFn: (range: { from: number; to: number }) =>
      client.cards.createRange({ ...range, format: name, facility: isWithFacility ? facility : null }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: collectionKey(credentials, ref) }),
  })

  const isAtField = rangeFields.some((field) => fieldErrorText(create.error, field) !== undefined)

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (from !== null && to !== null) create.mutate({ from, to })
  }

  const numberField = (label: string, field: string, set: (value: number | null) => void) => (
    <NumberInput
      label={label}
      required
      allowDecimal={false}
      allowNegative={false}
      hideControls
      inputMode="numeric"
      error={fieldErrorText(create.error, field)}
      onChange={(value) => set(typeof value === 'number' ? value : null)}
    />
  )

  return (
    <Modal opened onClose={onClose} title={text('credentials.addRange')} withCloseButton={false}>
      <form onSubmit={submit} noValidate>
        <Stack gap={16}>
          <Select
            label={text('credentials.format')}
            allowDeselect={false}
            value={name}
            error={fieldErrorText(create.error, 'format')}
            onChange={(value) => setName(value ?? name)}
            data={[...formats]}
          />
          {isWithFacility && numberField(text('credentials.facility'), 'facility', setFacility)}
          {numberField(text('credentials.fromNumber'), 'from', setFrom)}
          {numberField(text('credentials.toNumber'), 'to', setTo)}
          {create.data && <Created {...create.data} />}
          <p role="alert" className="refusal">
            {create.error && !isAtField && messageOf(create.error)}
          </p>
          <Group justify="flex-end" gap={8}>
            <Button variant="default" onClick={onClose}>
              {text('action.close')}
            </Button>
            <Button type="submit" loading={create.isPending} disabled={from === null || to === null}>
              {text('credentials.createRange')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

const mostNamed = 20

function Created({ created, taken }: CreatedCards) {
  const named = taken.slice(0, mostNamed)
  const more = taken.length - named.length
  return (
    <p role="status">
      {text('credentials.created', { count: created })}
      {taken.length > 0 && ` ${text('credentials.alreadyThere', { numbers: listOf(named) })}`}
      {more > 0 && ` ${text('credentials.moreAlreadyThere', { count: more })}`}
    </p>
  )
}
