import { units } from '@portcullis/contract/collections/units'
import { Link, useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { useOpenItem } from '../item/use-open-item.ts'
import { useAccount } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { EmptyNotice, ErrorNotice } from '../ui/list-notice.tsx'
import { SkeletonRows } from '../ui/skeleton-rows.tsx'
import { StateTag } from '../ui/state-tag.tsx'
import type { DoorParts } from './floor-plans.tsx'
import styles from './floor-plans.module.css'
import { PlanImage } from './plan-image.tsx'
import { DoorMarker, UnitMarker } from './plan-marker.tsx'
import { type FloorPlan, type ItemsOfSite, type Placed, placedItems } from './use-placed.ts'

type Props = { plan: FloorPlan; site: { timeZone: string }; items: ItemsOfSite; parts: DoorParts }

/** Up to this number of items have their names beside their states. */
const few = 30

/** A plan with the current states of its doors and controllers, and the same as a list. */
export function FloorPlanView({ plan, site, items, parts }: Props) {
  const { ref } = useAccount()
  const navigate = useNavigate()
  const { openId, open, close } = useOpenItem('door')
  const openUnit = useCallback(
    (unit: string) => {
      const to: string = `/${ref}/units/${unit}`
      void navigate({ to })
    },
    [navigate, ref],
  )
  if (items.error) return <ErrorNotice error={items.error} onRetry={items.retry} />
  if (items.isPending) return <SkeletonRows count={4} />

  const placed = placedItems(plan.placements, items)
  const doors = placed.flatMap(({ door }) => door ?? [])
  const controllers = placed.flatMap(({ unit }) => unit ?? [])
  const opened = doors.find(({ _id }) => _id === openId)

  return (
    <>
      <div data-few={placed.length <= few ? '' : undefined}>
        <PlanImage plan={plan} missing={<EmptyNotice title={text('floorPlans.noImage')} />}>
          {placed.map((each) => (
            <Marker key={each.placement.id} placed={each} DoorTags={parts.DoorTags} onDoor={open} onUnit={openUnit} />
          ))}
        </PlanImage>
      </div>
      <section className={styles.section} aria-label={text('floorPlans.list', { name: plan.name })}>
        {doors.length === 0 ? (
          <EmptyNotice title={text('floorPlans.nothingPlaced')} />
        ) : (
          <parts.DoorTable doors={doors} zone={site.timeZone} onOpen={(door) => open(door._id)} />
        )}
        {controllers.length > 0 && (
          <ul className={styles.controllers} aria-label={text('units.title')}>
            {controllers.map((unit) => (
              <li key={unit._id}>
                <UnitLink id={unit._id} name={unit.name} />
                <StateTag state={unit.status} />
              </li>
            ))}
          </ul>
        )}
      </section>
      {opened && <parts.DoorCard door={opened} zone={site.timeZone} onClose={close} />}
    </>
  )
}

type MarkerProps = {
  placed: Placed
  DoorTags: DoorParts['DoorTags']
  onDoor: (id: string) => void
  onUnit: (id: string) => void
}

function Marker({ placed: { placement, door, unit }, DoorTags, onDoor, onUnit }: MarkerProps) {
  const { x, y } = placement
  if (door) return <DoorMarker door={door} x={x} y={y} DoorTags={DoorTags} onOpen={onDoor} />
  return <UnitMarker unit={unit} x={x} y={y} onOpen={onUnit} />
}

function UnitLink({ id, name }: { id: string; name: string }) {
  const { ref } = useAccount()
  const to: string = `/${ref}/${units.name}/${id}`
  return (
    <Link to={to}>
      <bdi>{name}</bdi>
    </Link>
  )
}
