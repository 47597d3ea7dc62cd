import type { EntityOf } from '@portcullis/contract/collection'
import { sites } from '@portcullis/contract/collections/sites'
import { Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { IconCalendar, IconClock, IconMapPin, IconUsers } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { SkeletonRows } from '../ui/skeleton-rows.tsx'
import { ErrorNotice } from '../ui/list-notice.tsx'
import { Screen } from '../ui/screen.tsx'
import { ScreenTabs } from '../ui/screen-tabs.tsx'
import { zoneInWords } from '../time/time-text.ts'
import { useItem } from '../item/use-item.ts'
import { useLive } from '../item/use-live.ts'
import { useOpenItem } from '../item/use-open-item.ts'
import { useAccount, useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { ExportDoors } from './export-doors.tsx'
import { MoveSite } from './move-site.tsx'
import { FollowDoors, useSiteState } from './use-site-state.ts'
import { SiteDrawer } from './site-drawer.tsx'
import styles from './site-screen.module.css'
import { listOf } from '../text/catalogue.ts'

type Site = EntityOf<typeof sites>

/** One site; `children` shows what belongs to it. */
export function SiteScreen({ id, children }: { id: string; children: (site: Site) => ReactNode }) {
  const { ref } = useAccount()
  const site = useItem(sites, id)
  useLive(sites)

  if (site.data === undefined) {
    return (
      <Screen title={text('sites.one')}>
        {site.isError ? <ErrorNotice error={site.error} onRetry={() => void site.refetch()} /> : <SkeletonRows />}
      </Screen>
    )
  }
  return (
    <Screen
      title={site.data.name}
      above={
        <Link to="/$account/sites" params={{ account: ref }}>
          {text('sites.title')}
        </Link>
      }
      beside={<ScreenTabs label={site.data.name} tabs={tabsOf(id)} />}
      actions={
        <>
          <ExportDoors filter={{ _id: id }} />
          <MoveSite site={site.data} />
          <EditSite site={site.data} />
        </>
      }
    >
      <ul className={styles.facts}>
        {site.data.address && (
          <li>
            <IconMapPin size={15} aria-hidden="true" />
            {site.data.address}
          </li>
        )}
        <li>
          <IconClock size={15} aria-hidden="true" />
          {zoneInWords(site.data.timeZone)}
        </li>
        {site.data.calendars.length > 0 && (
          <li>
            <IconCalendar size={15} aria-hidden="true" />
            {text('sites.holidaysOf', { calendars: listOf(site.data.calendars) })}
          </li>
        )}
        <Inside site={id} />
      </ul>
      {children(site.data)}
    </Screen>
  )
}

function Inside({ site }: { site: string }) {
  const { data } = useSiteState(site)
  const canManage = useCan('manage', 'Sites')
  if (!data || (data.inside === null && !canManage)) return null
  return (
    <li>
      <FollowDoors />
      <IconUsers size={15} aria-hidden="true" />
      {data.inside === null ? (
        text('sites.insideHow')
      ) : (
        <span title={text('sites.insideHint')}>{text('sites.insideOf', { count: data.inside })}</span>
      )}
    </li>
  )
}

/** Its pages. */
function tabsOf(site: string) {
  return [
    { label: text('doors.title'), path: `/sites/${site}` },
    { label: text('floorPlans.title'), path: `/sites/${site}/floorPlans` },
  ]
}

function EditSite({ site }: { site: Site }) {
  const { ref } = useAccount()
  // In the URL, so that leaving it with changes is a navigation, which asks first.
  const { openId, open, close } = useOpenItem('edit')
  const canManage = useCan('manage', sites.subject)
  const navigate = useNavigate()
  if (!canManage) return null
  return (
    <>
      <Button variant="default" onClick={() => open(site._id)}>
        {text('sites.edit')}
      </Button>
      {openId === site._id && (
        <SiteDrawer
          item={site}
          onClose={close}
          onDeleted={() => void navigate({ to: '/$account/sites', params: { account: ref } })}
        />
      )}
    </>
  )
}
