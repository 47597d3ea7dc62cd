import type { EntityOf } from '@portcullis/contract/collection'
import { doors } from '@portcullis/contract/collections/doors'
import { sites } from '@portcullis/contract/collections/sites'
import { doorModes } from '@portcullis/domain/policy'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { NameOf } from '../item/name-of.tsx'
import { CollectionTable } from '../list/collection-table.tsx'
import type { Column } from '../list/data-table.tsx'
import { choicesOf, type ListFilter } from '../list/filters/filters.ts'
import { useAccount } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { AddAccess, OpenNowCell, RulesCell } from './access-row-cells.tsx'
import { useFollowedRows } from './use-access-row.ts'

export type Door = EntityOf<typeof doors>
type Props = { doorState: (door: Door) => ReactNode }

function columnsWith({ doorState }: Props): Column<Door>[] {
  return [
    {
      key: 'name',
      label: text('accessRows.door'),
      sort: 'name',
      phone: 'title',
      width: '22%',
      fields: { name: text('doors.name'), site: text('matrix.site') },
      cell: ({ name, site }) => (
        <>
          <bdi>{name}</bdi>
          <span className="second">
            <NameOf of={sites} id={site} />
          </span>
        </>
      ),
    },
    { key: 'state', label: text('accessRows.state'), sort: 'state', phone: 'aside', width: '190px', cell: doorState },
    {
      key: 'rules',
      label: text('accessRows.rules'),
      phone: 'plain',
      cell: ({ _id }) => <RulesCell kind="door" id={_id} />,
    },
    {
      key: 'openNow',
      label: text('accessRows.openedBy'),
      phone: 'line',
      width: '140px',
      cell: ({ _id, name }) => <OpenNowCell kind="door" id={_id} name={name} />,
    },
    {
      key: 'actions',
      label: text('accessRows.actions'),
      phone: 'plain',
      width: '130px',
      cell: ({ _id, name }) => <AddAccess kind="door" id={_id} name={name} />,
    },
  ]
}

const filters: ListFilter[] = [
  { name: 'site', label: text('matrix.site'), kind: 'reference', of: sites },
  {
    name: 'mode',
    label: text('accessRows.mode'),
    kind: 'choice',
    choices: choicesOf(doorModes, (mode) => text(`accessRows.modes.${mode}`)),
  },
]

/** The doors of the account, each with the rules that apply there. */
export function RulesByDoor({ doorState }: Props) {
  const { ref } = useAccount()
  const navigate = useNavigate()
  const explorer: string = `/${ref}/rules/explorer`
  const columns = useMemo(() => columnsWith({ doorState }), [doorState])
  useFollowedRows()
  return (
    <CollectionTable
      of={doors}
      list="doors.access"
      label={text('accessRows.by.door')}
      columns={columns}
      filters={filters}
      size={20}
      sort={{ prop: 'name', dir: 'asc' }}
      onOpen={({ _id }) => void navigate({ to: explorer, search: { ask: 'door', door: _id } })}
      empty={{ title: text('accessRows.noDoors') }}
    />
  )
}
