import type { EntityOf } from '@portcullis/contract/collection'
import { lockdowns } from '@portcullis/contract/collections/lockdowns'
import { useNavigate } from '@tanstack/react-router'
import { CollectionTable } from '../list/collection-table.tsx'
import type { Column } from '../list/data-table.tsx'
import type { ListFilter } from '../list/filters/filters.ts'
import { lockdownTabs } from '../navigation/lockdown-tabs.ts'
import { useAccount } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { Time } from '../time/time.tsx'
import { Screen } from '../ui/screen.tsx'
import { ScreenTabs } from '../ui/screen-tabs.tsx'
import { StateTag } from '../ui/state-tag.tsx'

const columns: Column<EntityOf<typeof lockdowns>>[] = [
  { key: 'name', sort: 'name', phone: 'title', cell: ({ name }) => name },
  {
    key: 'startedAt',
    sort: 'startedAt',
    phone: 'line',
    width: '30%',
    fields: { startedAt: text('lockdowns.startedAt'), startedByName: text('lockdowns.startedByName') },
    cell: ({ startedAt, startedByName }) => (
      <>
        <Time at={startedAt} />
        <span className="second">{startedByName}</span>
      </>
    ),
  },
  {
    key: 'endedAt',
    sort: 'endedAt',
    phone: 'plain',
    width: '30%',
    fields: { endedAt: text('lockdowns.endedAt'), endedByName: text('lockdowns.endedByName') },
    cell: ({ endedAt, endedByName }) =>
      endedAt === null ? (
        <StateTag state="lockdown" />
      ) : (
        <>
          <Time at={endedAt} />
          <span className="second">{endedByName ?? text('lockdowns.atItsTime')}</span>
        </>
      ),
  },
]

const filters: ListFilter[] = [
  { name: 'startedAt', label: text('lockdowns.startedAt'), kind: 'instant', direction: 'past' },
]

/** The lockdowns of the account, also those that have ended. */
export function LockdownsScreen() {
  const { ref } = useAccount()
  const navigate = useNavigate()
  return (
    <Screen
      title={text('lockdowns.title')}
      beside={<ScreenTabs label={text('lockdownPlans.title')} tabs={lockdownTabs} />}
    >
      <CollectionTable
        of={lockdowns}
        label={text('lockdowns.title')}
        columns={columns}
        filters={filters}
        sort={{ prop: 'startedAt', dir: 'desc' }}
        onOpen={({ _id }) =>
          void navigate({ to: '/$account/rules/lockdowns/$lockdown', params: { account: ref, lockdown: _id } })
        }
        empty={{ title: text('lockdowns.empty'), hint: text('lockdowns.emptyHint') }}
      />
    </Screen>
  )
}
