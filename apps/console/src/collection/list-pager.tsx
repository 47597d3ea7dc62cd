import { ActionIcon, NativeSelect } from '@mantine/core'
import type { pageInfo } from '@portcullis/contract/list-query'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import type { z } from 'zod'
import { text } from '../text/text.ts'
import styles from './list-pager.module.css'
import { type ListState, pageSizes } from './list-state.ts'

type Props = { page: z.output<typeof pageInfo>; onChange: (changes: Partial<ListState>) => void }

/** Beneath a list: which rows of how many, other pages, rows a page. */
export function ListPager({ page, onChange }: Props) {
  const { pageNumber, size, totalElements, totalPages } = page
  const from = totalElements === 0 ? 0 : pageNumber * size + 1
  const to = Math.min((pageNumber + 1) * size, totalElements)
  const sizes = [...new Set([...pageSizes, size])].sort((a, b) => a - b)
  const hasSizes = totalElements > Math.min(...sizes)

  return (
    <div className={styles.pager}>
      <span aria-live="polite">
        {totalPages > 1
          ? text('list.range', { from, to, total: totalElements })
          : text('list.rows', { count: totalElements })}
      </span>
      {hasSizes && (
        <label className={styles.size}>
          {text('list.size')}
          <NativeSelect
            size="xs"
            value={String(size)}
            data={sizes.map(String)}
            onChange={(event) => onChange({ size: Number(event.currentTarget.value) })}
          />
        </label>
      )}
      {totalPages > 1 && (
        <span className={styles.pages}>
          <ActionIcon
            size={30}
            aria-label={text('list.previous')}
            disabled={pageNumber === 0}
            onClick={() => onChange({ page: pageNumber - 1 })}
          >
            <IconChevronLeft size={16} />
          </ActionIcon>
          <span>{text('list.page', { page: pageNumber + 1, pages: totalPages })}</span>
          <ActionIcon
            size={30}
            aria-label={text('list.next')}
            disabled={pageNumber + 1 >= totalPages}
            onClick={() => onChange({ page: pageNumber + 1 })}
          >
            <IconChevronRight size={16} />
          </ActionIcon>
        </span>
      )}
    </div>
  )
}
