import { ActionIcon, NativeSelect, TextInput } from '@mantine/core'
import type { pageInfo } from '@portcullis/contract/list-query'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import type { z } from 'zod'
import { text } from '../text/text.ts'
import styles from './list-pager.module.css'
import { type ListChanges, pageSizes } from './state/list-state.ts'

type Props = { page: z.output<typeof pageInfo>; onChange: (changes: ListChanges) => void }

/** Below a list: the range of rows, other pages, and rows per page. */
export function ListPager({ page, onChange }: Props) {
  const { pageNumber, size, totalElements, totalPages } = page
  const sizes = [...new Set([...pageSizes, size])].sort((a, b) => a - b)
  const hasSizes = totalElements > Math.min(...sizes)

  return (
    <div className={styles.pager}>
      <span aria-live="polite">{rangeWords(page)}</span>
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
            aria-label={text('list.previous')}
            disabled={pageNumber === 0}
            onClick={() => onChange({ page: pageNumber - 1 })}
          >
            <IconChevronLeft size={16} />
          </ActionIcon>
          <PageInput key={pageNumber} page={pageNumber + 1} pages={totalPages} onChange={onChange} />
          <ActionIcon
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

type PageInputProps = { page: number; pages: number; onChange: Props['onChange'] }

/** The number of the page, which the user may replace. */
function PageInput({ page, pages, onChange }: PageInputProps) {
  const [typed, setTyped] = useState(String(page))

  function goTo() {
    const target = Math.max(1, Math.min(Number.parseInt(typed, 10) || page, pages))
    setTyped(String(target))
    if (target !== page) onChange({ page: target - 1 })
  }

  return (
    <form
      className={styles.size}
      onSubmit={(event) => {
        event.preventDefault()
        goTo()
      }}
    >
      <TextInput
        size="xs"
        w={64}
        inputMode="numeric"
        aria-label={text('list.pageNumber')}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onFocus={(event) => event.currentTarget.select()}
        onBlur={goTo}
      />
      <span>{text('list.ofPages', { pages })}</span>
    </form>
  )
}

function rangeWords({ pageNumber, size, totalElements: total, totalPages, totalExact = true }: Props['page']) {
  if (totalPages <= 1) return text(totalExact ? 'list.rows' : 'list.rowsAtLeast', { count: total })
  const from = pageNumber * size + 1
  const to = Math.min((pageNumber + 1) * size, total)
  return text(totalExact ? 'list.range' : 'list.rangeAtLeast', { from: Math.min(from, to), to, total })
}
