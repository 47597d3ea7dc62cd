import { Drawer } from '@mantine/core'
import type { Collection, EntityOf } from '@portcullis/contract/collection'
import type { ReactNode } from 'react'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { SkeletonRows } from '../ui/skeleton-rows.tsx'
import { ErrorNotice } from '../ui/list-notice.tsx'
import { useItem } from './use-item.ts'
import { useOpenItem } from './use-open-item.ts'

type Props<C extends Collection> = {
  of: C
  /** Renders the drawer for a loaded item, or for a new one. */
  children: (drawer: { item: EntityOf<C> | undefined; onClose: () => void }) => ReactNode
  parameter?: string
}

/**
 * Opens the drawer in the address (`?open={_id}` or `?open=new`), once its item is loaded:
 *
 *   <OpenItem of={sites}>{(drawer) => <SiteDrawer {...drawer} />}</OpenItem>
 */
export function OpenItem<C extends Collection>({ of, children, parameter }: Props<C>) {
  const { openId, close } = useOpenItem(parameter)
  const canManage = useCan('manage', of.subject)
  const id = openId === 'new' ? undefined : openId
  const item = useItem(of, id)
  // A link to a blank form does nothing for users who may only view the list.
  if (openId === undefined || (openId === 'new' && !canManage)) return null
  if (openId === 'new' || item.data !== undefined) {
    return <Keyed key={openId}>{children({ item: id === undefined ? undefined : item.data, onClose: close })}</Keyed>
  }
  return (
    <Drawer opened onClose={close} title=" " closeButtonProps={{ 'aria-label': text('action.close') }}>
      {item.isError ? (
        <ErrorNotice error={item.error} onRetry={() => void item.refetch()} />
      ) : (
        <SkeletonRows count={4} />
      )}
    </Drawer>
  )
}

function Keyed({ children }: { children: ReactNode }) {
  return children
}
