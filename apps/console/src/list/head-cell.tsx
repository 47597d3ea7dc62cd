import type { Sort } from '@portcullis/contract/list-query'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import styles from './data-table.module.css'

type Props = {
  column: { label: string; sort?: string }
  isNaming: boolean
  sort: Sort | undefined
  /** Absent where the order is set elsewhere: phones show no head. */
  onSort: ((sort: Required<Sort>) => void) | undefined
}

/** The head of a column; pressing it sorts by the column, and again in the other direction. */
export function HeadCell({ column: { label, sort: prop }, isNaming, sort, onSort }: Props) {
  const dir = prop !== undefined && sort?.prop === prop ? (sort.dir ?? 'desc') : undefined
  return (
    <th
      role="columnheader"
      scope="col"
      aria-sort={dir && (dir === 'asc' ? 'ascending' : 'descending')}
      data-naming={isNaming ? '' : undefined}
    >
      {prop && onSort ? (
        <button
          type="button"
          className={styles.sort}
          onClick={() => onSort({ prop, dir: dir === 'asc' ? 'desc' : 'asc' })}
        >
          {label}
          {dir === 'asc' && <IconArrowUp size={13} aria-hidden="true" />}
          {dir === 'desc' && <IconArrowDown size={13} aria-hidden="true" />}
        </button>
      ) : (
        label
      )}
    </th>
  )
}
