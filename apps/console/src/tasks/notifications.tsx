import { Drawer, Popover } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { type Ref, useId, useState } from 'react'
import { useIsNarrow } from '../ui/use-is-narrow.ts'
import { toast } from '../ui/toasts.ts'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { callFor } from './alerts.ts'
import styles from './notifications.module.css'
import { RequestList } from './request-list.tsx'
import { useRequests } from './use-requests.ts'

/** The bell of the top bar, for users who decide about remote access. */
export function Notifications() {
  const mayDecide = useCan('manage', 'RemoteAuth')
  return mayDecide ? <Bell /> : null
}

/** The number of waiting requests; pressed, it opens the list. On a phone the list opens from the bottom, near the thumb. */
function Bell() {
  const [isOpen, setOpen] = useState(false)
  const isNarrow = useIsNarrow()
  const open = () => setOpen(true)
  const { list, requests, keep, clear } = useRequests({
    onNew(request) {
      toast({ text: text('remote.newRequest'), press: open })
      callFor(request, open)
    },
  })
  const count = requests.filter(({ status }) => status === 'Requested').length
  const content = (
    <RequestList
      list={list}
      requests={requests}
      keep={keep}
      clear={clear}
      onLeave={() => setOpen(false)}
      isSheet={isNarrow}
    />
  )

  if (isNarrow) {
    return (
      <>
        <BellButton count={count} isOpen={isOpen} onPress={open} />
        <Drawer
          opened={isOpen}
          onClose={() => setOpen(false)}
          position="bottom"
          size="auto"
          title={text('remote.title')}
          padding={0}
          classNames={{ header: styles.sheetHead, content: styles.sheet }}
          closeButtonProps={{ 'aria-label': text('action.close') }}
        >
          {content}
        </Drawer>
      </>
    )
  }
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" width={420} trapFocus returnFocus shadow="md">
      <Popover.Target>
        <BellButton count={count} isOpen={isOpen} onPress={() => setOpen(!isOpen)} />
      </Popover.Target>
      <Popover.Dropdown p={0} aria-label={text('remote.title')}>
        {content}
      </Popover.Dropdown>
    </Popover>
  )
}

type Button = { count: number; isOpen: boolean; onPress: () => void; ref?: Ref<HTMLButtonElement> }

function BellButton({ count, isOpen, onPress, ref }: Button) {
  const waiting = useId()
  return (
    <>
      <button
        ref={ref}
        type="button"
        className={styles.bell}
        aria-label={text('remote.notifications')}
        aria-expanded={isOpen}
        aria-haspopup="dialog"
        aria-describedby={count > 0 ? waiting : undefined}
        data-count={count > 0 ? shortly(count) : undefined}
        onClick={onPress}
      >
        <IconBell size={19} stroke={1.8} aria-hidden="true" />
      </button>
      <span id={waiting} hidden>
        {text('remote.waiting', { count })}
      </span>
    </>
  )
}

function shortly(count: number) {
  return count > 99 ? '99+' : `${count}`
}
