import { Button } from '@mantine/core'
import { floorPlans } from '@portcullis/contract/collections/floor-plans'
import { type ComponentType, useState } from 'react'
import { OpenItem } from '../item/open-item.tsx'
import { useList } from '../item/use-list.ts'
import { useLive } from '../item/use-live.ts'
import { useOpenItem } from '../item/use-open-item.ts'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { EmptyNotice, ErrorNotice } from '../ui/list-notice.tsx'
import { SkeletonRows } from '../ui/skeleton-rows.tsx'
import { FloorPlanDrawer } from './floor-plan-drawer.tsx'
import { FloorPlanEditor } from './floor-plan-editor.tsx'
import { FloorPlanView } from './floor-plan-view.tsx'
import styles from './floor-plans.module.css'
import { type Door, type FloorPlan, useItemsOfSite } from './use-placed.ts'

type Site = { _id: string; timeZone: string }

/** What shows doors, which belongs to the doors. */
export type DoorParts = {
  DoorTags: ComponentType<{ door: Door }>
  DoorCard: ComponentType<{ door: Door; zone: string; onClose: () => void }>
  DoorTable: ComponentType<{ doors: readonly Door[]; zone: string; onOpen: (door: Door) => void }>
  /** Keeps the states of controllers current. */
  FollowUnits: ComponentType
}

/** The plans of a site, one tab for each floor. */
export function FloorPlans({ site, parts }: { site: Site; parts: DoorParts }) {
  const plans = useList(floorPlans, { filter: { site: site._id }, sort: { prop: 'name', dir: 'asc' }, size: 100 })
  useLive(floorPlans)
  const { openId, open: show } = useOpenItem('plan')
  const { openNew, open: edit } = useOpenItem()
  const canManage = useCan('manage', floorPlans.subject)
  const [editedId, setEditedId] = useState<string>()
  const items = useItemsOfSite(site._id)
  const seesUnits = useCan('view', 'Controllers')

  if (!plans.data) {
    return plans.isError ? (
      <ErrorNotice error={plans.error} onRetry={() => void plans.refetch()} />
    ) : (
      <SkeletonRows count={4} />
    )
  }
  const all: readonly FloorPlan[] = plans.data.items
  const plan = all.find(({ _id }) => _id === openId) ?? all[0]
  const edited = canManage ? all.find(({ _id }) => _id === editedId) : undefined
  const add = canManage && <Button onClick={openNew}>{text('floorPlans.add')}</Button>

  return (
    <>
      {seesUnits && <parts.FollowUnits />}
      {edited ? (
        <FloorPlanEditor key={edited._id} plan={edited} items={items} onClose={() => setEditedId(undefined)} />
      ) : (
        <>
          <div className={styles.head}>
            <nav className={styles.floors} aria-label={text('floorPlans.title')}>
              {all.map(({ _id, name }) => (
                <Button
                  key={_id}
                  size="xs"
                  variant={_id === plan?._id ? 'filled' : 'default'}
                  aria-current={_id === plan?._id ? 'page' : undefined}
                  onClick={() => show(_id)}
                >
                  {name}
                </Button>
              ))}
            </nav>
            {plan && canManage && (
              <div className={styles.actions}>
                <Button variant="default" size="xs" onClick={() => edit(plan._id)}>
                  {text('floorPlans.rename')}
                </Button>
                <Button variant="default" size="xs" onClick={() => setEditedId(plan._id)}>
                  {text('floorPlans.edit')}
                </Button>
                <Button variant="default" size="xs" onClick={openNew}>
                  {text('floorPlans.add')}
                </Button>
              </div>
            )}
          </div>
          {plan ? (
            <FloorPlanView key={plan._id} plan={plan} site={site} items={items} parts={parts} />
          ) : (
            <EmptyNotice title={text('floorPlans.empty')} hint={text('floorPlans.emptyHint')} action={add} />
          )}
        </>
      )}
      <OpenItem of={floorPlans}>
        {(drawer) => (
          <FloorPlanDrawer
            {...drawer}
            site={site._id}
            onAdded={(added) => {
              show(added)
              setEditedId(added)
            }}
          />
        )}
      </OpenItem>
    </>
  )
}
