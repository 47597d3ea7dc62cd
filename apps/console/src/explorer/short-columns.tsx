import type { AccessRule, DoorAccess, UserAccess } from '@portcullis/contract/calls/explorer'
import type { LabelledColumn } from '../list/data-table.tsx'
import { text } from '../text/text.ts'
import { WhenCell } from './access-cells.tsx'
import { listOf } from '../text/catalogue.ts'

// The same lists where there is little room: in the drawer of a door or of a user.

export function shortPeopleColumns({ at, door }: DoorAccess): LabelledColumn<DoorAccess['items'][number]>[] {
  return [
    {
      key: 'user',
      label: text('explorer.person'),
      phone: 'title',
      cell: ({ user, rules }) => <NameAndRules name={user.name} rules={rules} />,
    },
    {
      key: 'when',
      label: text('explorer.can'),
      phone: 'aside',
      cell: (row) => <WhenCell row={row} now={at} zone={door.site.timeZone} />,
    },
  ]
}

export function shortDoorColumns({ at }: UserAccess): LabelledColumn<UserAccess['items'][number]>[] {
  return [
    {
      key: 'door',
      label: text('explorer.door'),
      phone: 'title',
      cell: ({ door, rules }) => <NameAndRules name={door.name} rules={rules} />,
    },
    {
      key: 'when',
      label: text('explorer.can'),
      phone: 'aside',
      cell: (row) => <WhenCell row={row} now={at} zone={row.door.site.timeZone} />,
    },
  ]
}

function NameAndRules({ name, rules }: { name: string; rules: readonly AccessRule[] }) {
  return (
    <>
      <bdi>{name}</bdi>
      <span className="second">{listOf(rules.map((rule) => rule.name ?? text('explorer.ruleAbove')))}</span>
    </>
  )
}
