import type { EntityOf } from '@portcullis/contract/collection'
import { sites } from '@portcullis/contract/collections/sites'
import { unitFaults, units, unitStatuses } from '@portcullis/contract/collections/units'
import { Button } from '@mantine/core'
import { CollectionTable } from '../list/collection-table.tsx'
import type { Column } from '../list/data-table.tsx'
import { choicesOf, type ListFilter } from '../list/filters/filters.ts'
import { NameOf } from '../item/name-of.tsx'
import { OpenItem } from '../item/open-item.tsx'
import { Screen } from '../ui/screen.tsx'
import { StateTag } from '../ui/state-tag.tsx'
import { Time } from '../time/time.tsx'
import { useOpenItem } from '../item/use-open-item.ts'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { delayInWords, waitingInWords } from './unit-delay.ts'
import { FullestFilling } from './unit-fillings.tsx'
import { unitState, unitStep } from './unit-step.ts'
import { conditionFilter, ConditionTags } from './unit-conditions.tsx'
import { useUnitActions } from './unit-actions.tsx'
import { UnitDrawer } from './unit-drawer.tsx'

type Unit = EntityOf<typeof units>

const columns: Column<Unit>[] = [
  {
    key: 'name',
    sort: 'name',
    phone: 'title',
    fields: { name: text('units.name'), serial: text('units.serial'), model: text('units.model') },
    cell: (unit) => (
      <>
        {unit.name}
        <span className="second">{unit.model ? `${unit.model} · ${unit.serial}` : unit.serial}</span>
      </>
    ),
  },
  {
    key: 'status',
    sort: 'status',
    phone: 'aside',
    width: '160px',
    fields: {
      status: text('units.status'),
      inService: text('units.inService'),
      tamperedSince: text('units.tamperedSince'),
      clockWrongSince: text('units.clockWrongSince'),
      onBatterySince: text('units.onBatterySince'),
    },
    cell: (unit) => (
      <>
        <StateTag state={unitState(unit)} />
        <ConditionTags unit={unit} />
        {unit.status === 'online' && unit.backfilledUpTo && <StateTag state="backfilled" />}
      </>
    ),
  },
  {
    key: 'heartbeat',
    label: text('units.lastHeartbeatAt'),
    sort: 'lastHeartbeatAt',
    phone: 'hidden',
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
    phone: 'plain',
    width: '210px',
    fields: {
      appliedVersion: text('units.applied'),
      desiredVersion: text('units.desired'),
      outOfSyncSince: text('units.outOfSyncSince'),
    },
    cell: (unit) => <Step unit={unit} />,
  },
  {
    key: 'site',
    phone: 'line',
    cell: (unit) => (unit.site ? <NameOf of={sites} id={unit.site} /> : null),
  },
  {
    key: 'firmware',
    sort: 'firmware',
    phone: 'hidden',
    width: '110px',
    cell: (unit) => unit.firmware,
  },
  {
    key: 'capacity',
    phone: 'hidden',
    width: '190px',
    isExtra: true,
    fields: {
      capacity: text('units.capacity'),
      configSize: text('units.configSize'),
      capacityExceededSince: text('units.capacityExceededSince'),
    },
    cell: (unit) => <FullestFilling unit={unit} />,
  },
  {
    key: 'eventDelay',
    label: text('units.delay'),
    phone: 'hidden',
    width: '140px',
    isExtra: true,
    fields: { eventDelayMs: text('units.delayMs'), pendingEvents: text('units.pending') },
    cell: (unit) => <Delay unit={unit} />,
  },
  {
    key: 'enrolledAt',
    label: text('units.enrolled'),
    phone: 'hidden',
    width: '140px',
    isExtra: true,
    cell: (unit) => <Time at={unit.enrolledAt} />,
  },
  {
    key: 'address',
    phone: 'hidden',
    width: '140px',
    isExtra: true,
    cell: (unit) => unit.address,
  },
]

const filters: ListFilter[] = [
  {
    name: 'status',
    label: text('units.status'),
    kind: 'choice',
    choices: choicesOf(unitStatuses, (status) => text(`state.${status}`)),
  },
  conditionFilter,
  { name: 'unit', field: '_id', label: text('units.one'), kind: 'reference', of: units, isSeldom: true },
  { name: 'site', label: text('units.site'), kind: 'reference', of: sites, isNullable: true },
  {
    name: 'fault',
    label: text('units.faultLabel'),
    kind: 'choice',
    choices: choicesOf(unitFaults, (fault) => text(`units.faultName.${fault}`)),
    isNullable: true,
    isSeldom: true,
  },
  {
    name: 'inService',
    label: text('units.inService'),
    kind: 'yesNo',
    yes: text('units.inService'),
    no: text('state.out_of_service'),
    isSeldom: true,
  },
  {
    name: 'lastHeartbeatAt',
    label: text('units.lastHeartbeatAt'),
    kind: 'instant',
    direction: 'past',
    isNullable: true,
    isSeldom: true,
  },
  { name: 'model', label: text('units.model'), kind: 'text', isNullable: true, isSeldom: true },
  { name: 'firmware', label: text('units.firmware'), kind: 'text', isNullable: true, isSeldom: true },
]

/** The controllers of the account: online or offline, in sync with the policy or not. */
export function UnitsScreen() {
  const { open, openNew, openId } = useOpenItem()
  const canManage = useCan('manage', units.subject)
  const add = canManage && <Button onClick={openNew}>{text('units.add')}</Button>
  return (
    <Screen title={text('units.title')} actions={add}>
      <CollectionTable
        of={units}
        label={text('units.title')}
        columns={columns}
        filters={filters}
        bulk={useUnitActions()}
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
      <span className="second">{unit.fault === null ? words : text(`units.faultName.${unit.fault}`)}</span>
      <FullestFilling unit={unit} only="full" beside={state} />
    </>
  )
}

function Delay({ unit }: { unit: Unit }) {
  const waiting = waitingInWords(unit)
  return (
    <>
      {delayInWords(unit) ?? <span className="soft">–</span>}
      {waiting && <span className="second">{waiting}</span>}
    </>
  )
}
