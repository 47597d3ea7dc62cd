import type { EntityOf } from '@portcullis/contract/collection'
import { sites } from '@portcullis/contract/collections/sites'
import { unitStatuses, units } from '@portcullis/contract/collections/units'
import { Button } from '@mantine/core'
import { CollectionTable } from '../collection/collection-table.tsx'
import type { Column } from '../collection/data-table.tsx'
import type { ListFilter } from '../collection/filters.ts'
import { NameOf } from '../collection/name-of.tsx'
import { OpenItem } from '../collection/open-item.tsx'
import { Screen } from '../collection/screen.tsx'
import { StateTag } from '../collection/state-tag.tsx'
import { Time } from '../collection/time.tsx'
import { useOpenItem } from '../collection/use-open-item.ts'
import { LiveBadge } from '../live/live-badge.tsx'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { UnitDrawer } from './unit-drawer.tsx'
import { unitState, unitStep } from './unit-step.ts'

type Unit = EntityOf<typeof units>

const columns: Column<Unit>[] = [
  {
    key: 'name',
    label: text('units.name'),
    sort: 'name',
    phone: 'title',
    cell: (unit) => (
      <>
        {unit.name}
        <span className="second">{unit.model ? `${unit.model} · ${unit.serial}` : unit.serial}</span>
      </>
    ),
  },
  {
    key: 'status',
    label: text('units.status'),
    sort: 'status',
    phone: 'aside',
    width: '160px',
    cell: (unit) => <StateTag state={unitState(unit)} />,
  },
  {
    key: 'heartbeat',
    label: text('units.heartbeat'),
    sort: 'lastHeartbeatAt',
    width: '140px',
    cell: (unit) =>
      unit.lastHeartbeatAt ? (
        <Time at={unit.lastHeartbeatAt} as="relative" />
      ) : (
        <span className="soft">{text('units.never')}</span>
      ),
  },
  {
    key: 'configuration',
    label: text('units.configuration'),
    width: '210px',
    cell: (unit) => <Step unit={unit} />,
  },
  {
    key: 'site',
    label: text('units.site'),
    phone: 'line',
    cell: (unit) => (unit.site ? <NameOf of={sites} id={unit.site} /> : null),
  },
  { key: 'firmware', label: text('units.firmware'), sort: 'firmware', width: '110px', cell: (unit) => unit.firmware },
]

const filters: ListFilter[] = [
  {
    name: 'status',
    label: text('units.status'),
    kind: 'choice',
    choices: unitStatuses.map((value) => ({ value, label: text(`state.${value}`) })),
  },
  { name: 'site', label: text('units.site'), kind: 'reference', of: sites },
]

/** The controllers of the account: reachable or not, in step with the policy or not. */
export function UnitsScreen() {
  const { open, openNew, openId } = useOpenItem()
  const canManage = useCan('manage', 'Controllers')
  const add = canManage && <Button onClick={openNew}>{text('units.add')}</Button>
  return (
    <Screen title={text('units.title')} beside={<LiveBadge of={units} />} actions={add}>
      <CollectionTable
        of={units}
        label={text('units.title')}
        columns={columns}
        filters={filters}
        sort={{ prop: 'name', dir: 'asc' }}
        openId={openId}
        onOpen={(unit) => open(unit._id)}
        empty={{ title: text('units.empty'), hint: text('units.emptyHint'), action: add }}
      />
      <OpenItem of={units}>{(drawer) => <UnitDrawer {...drawer} onMade={(unit) => open(unit._id)} />}</OpenItem>
    </Screen>
  )
}

function Step({ unit }: { unit: Unit }) {
  const { state, words } = unitStep(unit)
  return (
    <>
      <StateTag state={state} />
      <span className="second">{words}</span>
    </>
  )
}
