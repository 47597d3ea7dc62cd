import type { EntityOf } from '@portcullis/contract/collection'
import { sites } from '@portcullis/contract/collections/sites'
import { units } from '@portcullis/contract/collections/units'
import type { ListQuery } from '@portcullis/contract/list-query'
import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { CollectionTable } from '../list/collection-table.tsx'
import { type BulkAction, deleteAction } from '../list/bulk/bulk-action.ts'
import type { Column } from '../list/data-table.tsx'
import type { ListFilter } from '../list/filters/filters.ts'
import { OpenItem } from '../item/open-item.tsx'
import { Screen } from '../ui/screen.tsx'
import { ScreenTabs } from '../ui/screen-tabs.tsx'
import { zoneInWords } from '../time/time-text.ts'
import { useOpenItem } from '../item/use-open-item.ts'
import { useAccount, useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { ExportDoors } from './export-doors.tsx'
import { DoorsNow, InsideNow, UnitsNow } from './site-state.tsx'
import { FollowDoors, FollowUnits } from './use-site-state.ts'
import { SiteDrawer } from './site-drawer.tsx'
import { siteTabs } from '../navigation/site-tabs.ts'
import { listOf } from '../text/catalogue.ts'

type Site = EntityOf<typeof sites>

const columns: Column<Site>[] = [
  { key: 'name', sort: 'name', phone: 'title', cell: (site) => site.name },
  {
    key: 'doorsNow',
    label: text('sites.doorsNow'),
    phone: 'plain',
    width: '25%',
    cell: (site) => <DoorsNow site={site._id} />,
  },
  {
    key: 'insideNow',
    label: text('sites.insideNow'),
    phone: 'plain',
    width: '14%',
    cell: (site) => <InsideNow site={site._id} />,
  },
  {
    key: 'address',
    sort: 'address',
    phone: 'plain',
    cell: (site) => site.address,
  },
  {
    key: 'timeZone',
    sort: 'timeZone',
    phone: 'hidden',
    cell: (site) => zoneInWords(site.timeZone),
  },
  {
    key: 'calendars',
    phone: 'hidden',
    cell: (site) => listOf(site.calendars) || null,
  },
]

const unitsColumn: Column<Site> = {
  key: 'unitsNow',
  label: text('sites.unitsNow'),
  phone: 'plain',
  width: '18%',
  cell: (site) => <UnitsNow site={site._id} />,
}
const [nameColumn, doorsColumn, ...otherColumns] = columns
const columnsWithUnits = [nameColumn, doorsColumn, unitsColumn, ...otherColumns].filter(
  (column) => column !== undefined,
)

const filters: ListFilter[] = [
  { name: 'timeZone', label: text('sites.timeZone'), kind: 'text', isSeldom: true },
  { name: 'address', label: text('sites.address'), kind: 'text', isNullable: true, isSeldom: true },
]

const actions: readonly BulkAction<Site>[] = [
  deleteAction({ of: sites, title: (count) => text('bulk.delete.sites', { count }) }),
]

/** The doors of the listed sites as a file. */
function exportDoors({ filter, search }: ListQuery) {
  return <ExportDoors filter={filter} search={search} />
}

/** The sites of the account; a site opens on a page of its own, with its doors. */
export function SitesScreen() {
  const { ref } = useAccount()
  const navigate = useNavigate()
  const { openNew } = useOpenItem()
  const canManage = useCan('manage', sites.subject)
  const seesUnits = useCan('view', units.subject)

  function openSite(id: string) {
    void navigate({ to: '/$account/sites/$site', params: { account: ref, site: id } })
  }

  const add = canManage && <Button onClick={openNew}>{text('sites.add')}</Button>
  return (
    <Screen
      title={text('sites.title')}
      beside={<ScreenTabs label={text('sites.title')} tabs={siteTabs} />}
      actions={add}
    >
      <FollowDoors />
      {seesUnits && <FollowUnits />}
      <CollectionTable
        of={sites}
        label={text('sites.title')}
        columns={seesUnits ? columnsWithUnits : columns}
        filters={filters}
        bulk={canManage ? actions : []}
        actions={exportDoors}
        sort={{ prop: 'name', dir: 'asc' }}
        onOpen={(site) => openSite(site._id)}
        empty={{ title: text('sites.empty'), hint: text('sites.emptyHint'), action: add }}
      />
      <OpenItem of={sites}>{(drawer) => <SiteDrawer {...drawer} onSaved={(site) => openSite(site._id)} />}</OpenItem>
    </Screen>
  )
}
