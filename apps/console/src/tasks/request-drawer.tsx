import { isNotFound } from '@portcullis/client/api-error'
import { tasks } from '@portcullis/contract/collections/tasks'
import { Drawer } from '@mantine/core'
import { useState } from 'react'
import { useItem } from '../item/use-item.ts'
import { useOpenItem } from '../item/use-open-item.ts'
import { EmptyNotice, ErrorNotice } from '../ui/list-notice.tsx'
import { SkeletonRows } from '../ui/skeleton-rows.tsx'
import { text } from '../text/text.ts'
import { RequestDetails } from './request-details.tsx'

/** The request in the address, `?open={_id}`; the list behind it keeps it live. */
export function RequestDrawer() {
  const { openId, close } = useOpenItem()
  return openId === undefined ? null : <OneRequest key={openId} id={openId} onClose={close} />
}

function OneRequest({ id, onClose }: { id: string; onClose: () => void }) {
  const request = useItem(tasks, id)
  const [withdrawnId, setWithdrawnId] = useState<string>()
  const [isWriting, setWriting] = useState(false)

  function content() {
    if (withdrawnId === id || isNotFound(request.error)) {
      return <EmptyNotice title={text('remote.gone')} hint={text('remote.goneHint')} />
    }
    if (request.data) {
      const writing = { isWriting, onWriting: setWriting }
      return <RequestDetails request={request.data} clear={setWithdrawnId} {...writing} />
    }
    if (request.isError) return <ErrorNotice error={request.error} onRetry={() => void request.refetch()} />
    return <SkeletonRows count={4} />
  }

  return (
    <Drawer
      opened
      onClose={onClose}
      // Escape closes the dialog above it first.
      closeOnEscape={!isWriting}
      title={text('tasks.one')}
      closeButtonProps={{ 'aria-label': text('action.close') }}
    >
      {content()}
    </Drawer>
  )
}
