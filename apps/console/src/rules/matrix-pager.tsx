import { ActionIcon } from '@mantine/core'
import type { pageInfo } from '@portcullis/contract/list-query'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import type { z } from 'zod'
import { text } from '../text/text.ts'
import styles from './matrix.module.css'

type Props = {
  label: string
  page: z.output<typeof pageInfo> | undefined
  isDisabled: boolean
  onChange: (page: number) => void
}

/** Other rows or columns, where there are more than fit. */
export function MatrixPager({ label, page, isDisabled, onChange }: Props) {
  if (!page || page.totalPages <= 1) return null
  const { pageNumber, size, totalElements: total, totalPages } = page
  const from = pageNumber * size + 1
  return (
    <span className={styles.pager} role="group" aria-label={label}>
      <ActionIcon
        aria-label={text('matrix.previous')}
        disabled={isDisabled || pageNumber === 0}
        onClick={() => onChange(pageNumber - 1)}
      >
        <IconChevronLeft size={16} />
      </ActionIcon>
      <span className="soft">{text('matrix.range', { from, to: Math.min(from + size - 1, total), total })}</span>
      <ActionIcon
        aria-label={text('matrix.next')}
        disabled={isDisabled || pageNumber + 1 >= totalPages}
        onClick={() => onChange(pageNumber + 1)}
      >
        <IconChevronRight size={16} />
      </ActionIcon>
    </span>
  )
}
