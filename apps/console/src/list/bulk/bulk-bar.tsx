import { Button, CloseButton, Menu } from '@mantine/core'
import type { Collection, EntityOf } from '@portcullis/contract/collection'
import { type ListQuery, pageSize } from '@portcullis/contract/list-query'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { IconDots } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useAccount } from '../../session/session-context.tsx'
import { text } from '../../text/text.ts'
import type { SelectionAction } from './bulk-action.ts'
import styles from './bulk-bar.module.css'
import { BulkDialog } from './bulk-dialog.tsx'
import { collectionKey } from '../../item/keys.ts'
import { messageOf } from '../../ui/list-notice.tsx'
import { maxSelected } from './selection.ts'
import { useIsNarrow } from '../../ui/use-is-narrow.ts'
import type { Selection } from './use-selection.ts'
import { client } from '../../session/client.ts'
import { reachOf } from '../../item/reach-of.ts'

type Props<C extends Collection> = {
  of: C
  query: ListQuery
  total: number
  selection: Selection<EntityOf<C>>
  actions: readonly SelectionAction<EntityOf<C>>[]
  nameOf: (item: EntityOf<C>) => string
  /** The export of the selected rows. */
  children: ReactNode
}

/** The actions on the selected rows, and a button to select all rows of the list. */
export function BulkBar<C extends Collection>(props: Props<C>) {
  const { of, query, total, selection, actions, nameOf, children } = props
  const { ref } = useAccount()
  const queryClient = useQueryClient()
  const [activeAction, setActiveAction] = useState<SelectionAction<EntityOf<C>>>()
  const all = useMutation({ mutationFn: () => loadMatching(of, query), onSuccess: selection.add })
  const { size } = selection.selected
  const most = Math.min(total, maxSelected)
  const [first, ...more] = [...actions].sort(byDanger)
  const isNarrow = useIsNarrow()
  const inMenu = isNarrow ? more : []
  const inBar = isNarrow ? [first] : [first, ...more]

  const onCancel = () => setActiveAction(undefined)

  function finish(undone: readonly EntityOf<C>[]) {
    setActiveAction(undefined)
    selection.keepOnly(undone)
    void queryClient.invalidateQueries({ queryKey: collectionKey(of, ref) })
  }

  return (
    <div role="region" aria-label={text('list.selected', { count: size })} className={styles.bar}>
      <CloseButton size={34} aria-label={text('list.clearSelection')} onClick={selection.clear} />
      <strong role="status">{text('list.selected', { count: size })}</strong>
      {size < most && (
        <Button variant="subtle" size="xs" loading={all.isPending} onClick={() => all.mutate()}>
          {total > maxSelected
            ? text('list.selectMost', { most: maxSelected, count: total })
            : text('list.selectMatching', { count: total })}
        </Button>
      )}
      {all.isError && <span className="refusal">{messageOf(all.error)}</span>}
      {size >= maxSelected && <span className="soft">{text('list.selectionMost', { most: maxSelected })}</span>}
      <div className={styles.actions}>
        {children}
        {inBar.map(
          (action) =>
            action && (
              <Button
                key={action.key}
                variant={action.isDangerous ? 'subtle' : 'default'}
                color={action.isDangerous ? 'no' : 'accent'}
                onClick={() => setActiveAction(action)}
              >
                {action.label}
              </Button>
            ),
        )}
        {inMenu.length > 0 && (
          <Menu position="top-end">
            <Menu.Target>
              <Button variant="default" aria-label={text('list.moreActions')} px={10}>
                <IconDots size={16} aria-hidden="true" />
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {inMenu.map((action) => (
                <Menu.Item key={action.key} onClick={() => setActiveAction(action)}>
                  {action.label}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        )}
      </div>
      {activeAction && (
        <ActionDialog action={activeAction} items={selection.latest()} {...{ nameOf, onCancel, finish }} />
      )}
    </div>
  )
}

type ActionDialogProps<T> = {
  action: SelectionAction<T>
  items: readonly T[]
  nameOf: (item: T) => string
  onCancel: () => void
  /** Called after the start with the items that were not done. */
  finish: (undone: readonly T[]) => void
}

function ActionDialog<T>({ action, items, nameOf, onCancel, finish }: ActionDialogProps<T>) {
  if ('dialog' in action) return action.dialog({ items, onCancel, onDone: () => finish([]) })
  return <BulkDialog action={action} items={items} nameOf={nameOf} onCancel={onCancel} onClose={finish} />
}

/** Actions that cannot be undone come last. */
function byDanger(a: { isDangerous?: boolean }, b: { isDangerous?: boolean }) {
  return Number(a.isDangerous ?? false) - Number(b.isDangerous ?? false)
}

/** The items of all pages of a list, up to the maximum of a selection. */
async function loadMatching<C extends Collection>(of: C, query: ListQuery): Promise<EntityOf<C>[]> {
  const found: EntityOf<C>[] = []
  for (let page = 0; found.length < maxSelected; page += 1) {
    const { items, page: info } = await client.of(of).list({ ...query, page, size: pageSize.most }, reachOf(of))
    found.push(...items)
    if (page + 1 >= info.totalPages) break
  }
  return found.slice(0, maxSelected)
}
