import { Button, FileButton, Group } from '@mantine/core'
import { isConflict } from '@portcullis/client/api-error'
import { floorPlans, type Placement } from '@portcullis/contract/collections/floor-plans'
import { useBlocker } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { LeaveOrStay } from '../form/leave-or-stay.tsx'
import { usePatch } from '../item/use-save.ts'
import { text } from '../text/text.ts'
import { EmptyNotice, ErrorNotice, messageOf } from '../ui/list-notice.tsx'
import { EditedMarker } from './edited-marker.tsx'
import styles from './floor-plan-editor.module.css'
import { ItemsToPlace } from './items-to-place.tsx'
import { PlanImage } from './plan-image.tsx'
import { usePlacing } from './use-placing.ts'
import { type FloorPlan, type ItemsOfSite, placedItems } from './use-placed.ts'
import { imageTypes, useSetImage } from './use-set-image.ts'

type Props = { plan: FloorPlan; items: ItemsOfSite; onClose: () => void }

/** The image of a plan and the places of items, changed by mouse, touch and keyboard, and saved together. */
export function FloorPlanEditor({ plan, items, onClose }: Props) {
  const [base, setBase] = useState(plan)
  const sheet = useRef<HTMLDivElement>(null)
  const placing = usePlacing(base.placements, sheet)
  const [announced, setAnnounced] = useState('')
  const [isLeaving, setLeaving] = useState(false)
  const save = usePatch(floorPlans)
  const image = useSetImage(plan, (fresh) => {
    // A version that another user made in the meantime stays unknown here, so that saving reports the conflict.
    if (isSame(fresh.placements, base.placements)) setBase(fresh)
  })
  const isDirty = !isSame(placing.placements, base.placements)
  const isSaved = useRef(false)
  const blocker = useBlocker({
    shouldBlockFn: () => isDirty && !isSaved.current,
    enableBeforeUnload: () => isDirty && !isSaved.current,
    withResolver: true,
  })
  const placed = placedItems(placing.placements, items)
  const theirs = isConflict(save.error) ? floorPlans.entitySchema.safeParse(save.error.item).data : undefined

  function announce({ id, x, y }: Placement) {
    const name = [...items.doors, ...items.units].find(({ _id }) => _id === id)?.name ?? ''
    setAnnounced(text('floorPlans.placeOf', { name, ...inPercent({ x, y }) }))
  }

  function add(item: Pick<Placement, 'kind' | 'id'>) {
    announce(placing.place(item, { x: 0.5, y: 0.5 }))
  }

  function send(version: number) {
    save.mutate(
      { id: plan._id, changes: { placements: placing.placements.map((each) => ({ ...each })), version } },
      {
        onSuccess: () => {
          isSaved.current = true
          onClose()
        },
      },
    )
  }

  function load(fresh: FloorPlan) {
    setBase(fresh)
    placing.setPlacements(fresh.placements)
    save.reset()
  }

  const upload = (
    <FileButton accept={imageTypes.join(',')} onChange={(file) => file && image.mutate(file)}>
      {(button) => (
        <Button {...button} variant="default" loading={image.isPending}>
          {text(plan.image ? 'floorPlans.replaceImage' : 'floorPlans.addImage')}
        </Button>
      )}
    </FileButton>
  )

  if (items.error) return <ErrorNotice error={items.error} onRetry={items.retry} />
  return (
    <section aria-label={text('floorPlans.editing', { name: plan.name })}>
      <header className={styles.head}>
        <h2>{text('floorPlans.editing', { name: plan.name })}</h2>
        <Group gap={6}>
          {plan.image && upload}
          <Button variant="default" onClick={() => (isDirty ? setLeaving(true) : onClose())}>
            {text('action.cancel')}
          </Button>
          <Button loading={save.isPending} disabled={!isDirty} onClick={() => send(base.version)}>
            {text('action.save')}
          </Button>
        </Group>
      </header>
      <p className="soft">{text('floorPlans.editHint')}</p>
      <p role="alert" className="refusal">
        {image.failure}
        {save.isError && !theirs ? messageOf(save.error) : ''}
      </p>
      {theirs && (
        <Group role="alert" gap={8} className={styles.conflict}>
          <b>{text('floorPlans.conflict')}</b>
          <Button size="xs" variant="default" onClick={() => load(theirs)}>
            {text('conflict.loadTheirs')}
          </Button>
          <Button size="xs" onClick={() => send(theirs.version)}>
            {text('conflict.saveMine')}
          </Button>
        </Group>
      )}
      <div className={styles.columns}>
        <PlanImage
          plan={plan}
          sheet={sheet}
          missing={
            <EmptyNotice title={text('floorPlans.noImage')} hint={text('floorPlans.imageHint')} action={upload} />
          }
        >
          {placed.map(({ placement, door, unit }) => (
            <EditedMarker
              key={placement.id}
              name={(door ?? unit)?.name ?? ''}
              placement={placement}
              dragging={placing.dragging(placement)}
              onKey={(event) => {
                const moved = placing.moveByKey(placement, event)
                if (moved) announce(moved)
              }}
            />
          ))}
        </PlanImage>
        <ItemsToPlace
          items={items}
          placements={placing.placements}
          canPlace={plan.image !== null}
          dragging={placing.dragging}
          onPlace={add}
          onRemove={placing.remove}
        />
      </div>
      <p role="status" className={styles.announced}>
        {announced}
      </p>
      {isLeaving && <LeaveOrStay onLeave={onClose} onStay={() => setLeaving(false)} />}
      {blocker.status === 'blocked' && <LeaveOrStay onLeave={blocker.proceed} onStay={blocker.reset} />}
    </section>
  )
}

/** With one decimal place. */
function inPercent({ x, y }: { x: number; y: number }) {
  return { x: Math.round(x * 1_000) / 10, y: Math.round(y * 1_000) / 10 }
}

function isSame(one: readonly Placement[], other: readonly Placement[]) {
  return JSON.stringify(one) === JSON.stringify(other)
}
