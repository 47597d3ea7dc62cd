import { Skeleton } from '@mantine/core'
import { text } from '../text/text.ts'
import styles from './data-table.module.css'
import { SlowNote } from '../ui/slow-note.tsx'

type Props = { columns: readonly { key: string; label: string; width?: string }[]; hasSelection: boolean }

const rows = 10

/** A table whose rows are loading: its head and columns are already there, so that nothing moves when they arrive. */
export function SkeletonTable({ columns, hasSelection }: Props) {
  return (
    <div role="status" aria-label={text('loading')}>
      <table className={styles.table} aria-hidden="true">
        <colgroup>
          {hasSelection && <col style={{ width: 44 }} />}
          {columns.map(({ key, width }) => (
            <col key={key} style={width ? { width } : undefined} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {hasSelection && <th />}
            {columns.map(({ key, label }) => (
              <th key={key}>{label}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: rows }, (_, row) => (
            <tr key={row}>
              {hasSelection && (
                <td>
                  <Skeleton height={16} width={16} radius={4} />
                </td>
              )}
              {columns.map(({ key }, column) => (
                <td key={key}>
                  <Skeleton height={12} width={`${72 - ((row + column * 2) % 4) * 12}%`} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <SlowNote />
    </div>
  )
}
