import { Button } from '@mantine/core'
import type { pageInfo } from '@portcullis/contract/list-query'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { z } from 'zod'
import { text } from '../text/text.ts'
import { EmptyNotice, ErrorNotice } from '../ui/list-notice.tsx'

type Props = {
  list: UseQueryResult<{ items: readonly unknown[]; page: z.output<typeof pageInfo> }>
  /** The text of an empty list, with the next step. */
  empty: { title: string; hint?: string | undefined; action?: ReactNode }
  /** Shown instead of the rows while they load. */
  skeleton: ReactNode
  /** Whether search or filters narrow the list. */
  isNarrowed: boolean
  onClear: () => void
  onFirstPage: () => void
  children: ReactNode
}

/** The rows of a list, or a state instead of them: loading, empty, or failed to load. */
export function ListRows({ list, empty, skeleton, isNarrowed, onClear, onFirstPage, children }: Props) {
  if (list.data === undefined) {
    if (list.isError) return <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />
    if (list.fetchStatus === 'paused')
      return <EmptyNotice title={text('list.offline')} hint={text('list.offlineHint')} />
    return skeleton
  }
  if (list.data.items.length > 0) return children
  if (list.data.page.totalElements > 0) {
    return (
      <EmptyNotice
        title={text('list.pastTheEnd')}
        action={<Choice words={text('list.firstPage')} onChoose={onFirstPage} />}
      />
    )
  }
  if (!isNarrowed) return <EmptyNotice {...empty} />
  return (
    <EmptyNotice
      title={text('list.nothingFound')}
      hint={text('list.nothingFoundHint')}
      action={<Choice words={text('list.clearAll')} onChoose={onClear} />}
    />
  )
}

function Choice({ words, onChoose }: { words: string; onChoose: () => void }) {
  return (
    <Button variant="default" onClick={onChoose}>
      {words}
    </Button>
  )
}
