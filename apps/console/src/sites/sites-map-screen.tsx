import { sites } from '@portcullis/contract/collections/sites'
import { units } from '@portcullis/contract/collections/units'
import type { EntityOf } from '@portcullis/contract/collection'
import { Link } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import { useList } from '../item/use-list.ts'
import { useLive } from '../item/use-live.ts'
import { siteTabs } from '../navigation/site-tabs.ts'
import { useAccount, useCan } from '../session/session-context.tsx'
import { isolated, listOf } from '../text/catalogue.ts'
import { text } from '../text/text.ts'
import { EmptyNotice, ErrorNotice } from '../ui/list-notice.tsx'
import { Screen } from '../ui/screen.tsx'
import { ScreenTabs } from '../ui/screen-tabs.tsx'
import { SkeletonRows } from '../ui/skeleton-rows.tsx'
import { latText, lngText } from './degrees-text.ts'
import { LocationMap } from './location-map.tsx'
import type { Location } from './map-view.ts'
import { WorstState } from './site-state.tsx'
import styles from './sites-map.module.css'
import { FollowDoors, FollowUnits } from './use-site-state.ts'

type Site = EntityOf<typeof sites>
type Located = Site & { location: Location }

const maxSites = 500

/** The sites by their location, with the worst state of each; below the same as a list. */
export function SitesMapScreen() {
  const seesUnits = useCan('view', units.subject)
  const { data, error, refetch } = useList(sites, { size: maxSites, sort: { prop: 'name', dir: 'asc' } })
  useLive(sites)
  return (
    <Screen title={text('siteMap.title')} beside={<ScreenTabs label={text('sites.title')} tabs={siteTabs} />}>
      <FollowDoors />
      {seesUnits && <FollowUnits />}
      {error && !data && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!error && !data && <SkeletonRows />}
      {data?.items.length === 0 && <EmptyNotice title={text('sites.empty')} hint={text('sites.emptyHint')} />}
      {data && data.items.length > 0 && <SitesOnMap all={data.items} />}
      {data && data.page.totalElements > maxSites && (
        <p className="soft">{text('siteMap.more', { count: maxSites })}</p>
      )}
    </Screen>
  )
}

function SitesOnMap({ all }: { all: readonly Site[] }) {
  const located = all.filter((site): site is Located => site.location !== null)
  return (
    <>
      <LocationMap label={text('siteMap.title')} items={located}>
        {(group, onNear) => <Marker group={group} onNear={onNear} />}
      </LocationMap>
      <p className={styles.hint}>{text('siteMap.hint')}</p>
      <ul className={styles.list} aria-label={text('siteMap.list')}>
        {all.map((site) => (
          <li key={site._id}>
            <span className={styles.name}>
              <SiteLink site={site} />
              <span className="second">
                {site.location
                  ? listOf([latText(site.location.lat), lngText(site.location.lng)])
                  : text('siteMap.noLocation')}
              </span>
            </span>
            <WorstState sites={[site._id]} />
          </li>
        ))}
      </ul>
    </>
  )
}

function Marker({ group, onNear }: { group: readonly Site[]; onNear: () => void }) {
  const [first, second] = group
  if (!first) return null

  /** The button disappears, so the map takes its focus. */
  function press({ currentTarget }: MouseEvent<HTMLElement>) {
    currentTarget.closest<HTMLElement>('[role=group]')?.focus({ preventScroll: true })
    onNear()
  }

  const state = <WorstState sites={group.map(({ _id }) => _id)} />
  return (
    <span className={styles.marker}>
      {second ? (
        <button type="button" onClick={press} title={group.map(({ name }) => isolated(name)).join(', ')}>
          {text('siteMap.cluster', { count: group.length })}
        </button>
      ) : (
        <SiteLink site={first} />
      )}
      {state}
    </span>
  )
}

function SiteLink({ site: { _id, name } }: { site: Site }) {
  const { ref } = useAccount()
  return (
    <Link to="/$account/sites/$site" params={{ account: ref, site: _id }}>
      <bdi>{name}</bdi>
    </Link>
  )
}
