import { doorStates, doors } from '@portcullis/contract/collections/doors'
import { Button } from '@mantine/core'
import { CollectionTable } from '../collection/collection-table.tsx'
import type { ListFilter } from '../collection/filters.ts'
import { OpenItem } from '../collection/open-item.tsx'
import { useOpenItem } from '../collection/use-open-item.ts'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { doorColumns } from './door-columns.tsx'
import { DoorDrawer } from './door-drawer.tsx'
import styles from './site-doors.module.css'

const filters: ListFilter[] = [
  {
    name: 'state',
    label: text('doors.state'),
    kind: 'choice',
    choices: doorStates.map((value) => ({ value, label: text(`state.${value}`) })),
  },
]

/** The doors of a site, their state as it is now, and the button that unlocks one. */
export function SiteDoors({ site }: { site: { _id: string; timeZone: string } }) {
  const { open, openNew, openId } = useOpenItem()
  const canManage = useCan('manage', 'Sites')
  const add = canManage && <Button onClick={openNew}>{text('doors.add')}</Button>

  return (
    <section aria-labelledby="doors">
      <header className={styles.head}>
        <h2 id="doors">{text('doors.title')}</h2>
        {add}
      </header>
      <CollectionTable
        of={doors}
        label={text('doors.title')}
        columns={doorColumns(site.timeZone)}
        filters={filters}
        within={{ site: site._id }}
        sort={{ prop: 'name', dir: 'asc' }}
        openId={openId}
        onOpen={(door) => open(door._id)}
        empty={{ title: text('doors.empty'), hint: text('doors.emptyHint'), action: add }}
      />
      <OpenItem of={doors}>{(drawer) => <DoorDrawer {...drawer} site={site._id} />}</OpenItem>
    </section>
  )
}
