import { Button, TextInput } from '@mantine/core'
import type { Placement } from '@portcullis/contract/collections/floor-plans'
import { IconCpu, IconDoor } from '@tabler/icons-react'
import { useState } from 'react'
import { text } from '../text/text.ts'
import type { Dragging } from './edited-marker.tsx'
import styles from './floor-plan-editor.module.css'
import type { ItemsOfSite } from './use-placed.ts'

type Item = Pick<Placement, 'kind' | 'id'>

type Props = {
  items: Pick<ItemsOfSite, 'doors' | 'units'>
  placements: readonly Placement[]
  /** Whether there is an image to place them on. */
  canPlace: boolean
  dragging: (item: Item) => Dragging
  onPlace: (item: Item) => void
  onRemove: (id: string) => void
}

/** The doors and controllers of the site, to drag onto the plan, or to place in its middle by a press. */
export function ItemsToPlace({ items, placements, canPlace, dragging, onPlace, onRemove }: Props) {
  const [search, setSearch] = useState('')
  const placed = new Set(placements.map(({ id }) => id))
  const all = [
    ...items.doors.map(({ _id: id, name }) => ({ kind: 'Door' as const, id, name })),
    ...items.units.map(({ _id: id, name }) => ({ kind: 'Controller' as const, id, name })),
  ]
  const words = search.trim().toLowerCase()
  const found = all.filter(({ name }) => name.toLowerCase().includes(words))

  return (
    <aside aria-label={text('floorPlans.placements')}>
      <TextInput
        placeholder={text('floorPlans.find')}
        aria-label={text('floorPlans.find')}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <ul className={styles.list}>
        {found.map(({ name, ...item }) => {
          const Icon = item.kind === 'Door' ? IconDoor : IconCpu
          const isPlaced = placed.has(item.id)
          return (
            <li key={item.id} data-draggable={canPlace ? '' : undefined}>
              <bdi {...(canPlace ? dragging(item) : {})}>
                <Icon size={15} aria-hidden="true" />
                {name}
              </bdi>
              <Button
                size="compact-xs"
                variant={isPlaced ? 'subtle' : 'default'}
                disabled={!canPlace}
                aria-label={text(isPlaced ? 'floorPlans.remove' : 'floorPlans.place', { name })}
                onClick={() => (isPlaced ? onRemove(item.id) : onPlace(item))}
              >
                {text(isPlaced ? 'floorPlans.removeShort' : 'floorPlans.placeShort')}
              </Button>
            </li>
          )
        })}
      </ul>
    </aside>
  )
}
