import type { Collection, EntityOf } from '@portcullis/contract/collection'
import { text } from '../text/text.ts'
import type { LabelledColumn } from './data-table.tsx'
import type { ListFilter } from './filters/filters.ts'
import { part } from '../item/item-parts.ts'
import { Time } from '../time/time.tsx'

/** When an item was added and changed: every collection but the logs has these fields, and every list can show and filter them. */
export function commonColumns<C extends Collection>(of: C): LabelledColumn<EntityOf<C>>[] {
  if (of.readOnly) return []
  return moments.map(({ name, label }) => ({
    key: name,
    label,
    sort: name,
    width: '150px',
    phone: 'hidden',
    isExtra: true,
    cell: (item) => <Time at={textAt(item, name)} />,
  }))
}

export function commonFilters(of: Collection): ListFilter[] {
  if (of.readOnly) return []
  return moments.map(({ name, label }) => ({ name, label, kind: 'instant', direction: 'past', isSeldom: true }))
}

const moments = [
  { name: 'createdAt', label: text('list.added') },
  { name: 'updatedAt', label: text('list.changed') },
] as const

function textAt(item: unknown, name: string) {
  const value = part(item, name)
  return typeof value === 'string' ? value : null
}
