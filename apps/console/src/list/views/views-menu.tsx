import { ActionIcon, Button, Popover } from '@mantine/core'
import type { Collection } from '@portcullis/contract/collection'
import type { SavedView } from '@portcullis/contract/calls/saved-views'
import { Link } from '@tanstack/react-router'
import { IconBookmark, IconPencil } from '@tabler/icons-react'
import { useState } from 'react'
import { useCan } from '../../session/session-context.tsx'
import { text } from '../../text/text.ts'
import { type ListPlace, type Search, searchOfView, viewOfSearch } from '../state/list-state.ts'
import { useSavedViews } from './use-saved-views.ts'
import { ViewDialog } from './view-dialog.tsx'
import compact from '../../ui/compact-button.module.css'
import styles from './views-menu.module.css'

type Props = { of: Collection; list: string; place: ListPlace; search: Search }

/** The views of a list: each a link; the current list can be saved as another. */
export function ViewsMenu({ of, list, place, search }: Props) {
  const { views } = useSavedViews(of, list)
  const [isOpen, setOpen] = useState(false)
  const [edited, setEdited] = useState<SavedView | 'new'>()
  const mayShare = useCan('manage', of.subject)
  const present = viewOfSearch(search, place)
  const current = views.find(({ query }) => isSame(query, present))

  function edit(view: SavedView | 'new') {
    setOpen(false)
    setEdited(view)
  }

  function links(title: string, shown: readonly SavedView[]) {
    if (shown.length === 0) return null
    return (
      <section>
        <h3>{title}</h3>
        <ul>
          {shown.map((view) => (
            <li key={view._id}>
              <Link
                to="."
                search={searchOfView(search, place, view.query)}
                aria-current={view === current ? 'page' : undefined}
                onClick={() => setOpen(false)}
              >
                <bdi>{view.name}</bdi>
                {!view.own && view.ownerName && (
                  <span className="second">{text('list.sharedBy', { name: view.ownerName })}</span>
                )}
              </Link>
              {(view.own || mayShare) && (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={text('list.editView', { name: view.name })}
                  onClick={() => edit(view)}
                >
                  <IconPencil size={15} />
                </ActionIcon>
              )}
            </li>
          ))}
        </ul>
      </section>
    )
  }

  return (
    <>
      <Popover opened={isOpen} onChange={setOpen} position="bottom-end" width={290} shadow="md" trapFocus returnFocus>
        <Popover.Target>
          <Button
            variant="default"
            leftSection={<IconBookmark size={16} aria-hidden="true" />}
            classNames={compact}
            onClick={() => setOpen(!isOpen)}
          >
            <span className={styles.current}>{current?.name ?? text('list.views')}</span>
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label={text('list.views')} className={styles.menu}>
          {views.length === 0 && <p className={styles.hint}>{text('list.noViews')}</p>}
          {Object.keys(present).length > 0 && (
            <Link
              to="."
              search={searchOfView(search, place, {})}
              className={styles.whole}
              onClick={() => setOpen(false)}
            >
              {text('list.wholeList')}
            </Link>
          )}
          {links(
            text('list.ownViews'),
            views.filter(({ own }) => own),
          )}
          {links(
            text('list.sharedViews'),
            views.filter(({ own }) => !own),
          )}
          <Button variant="default" size="xs" fullWidth onClick={() => edit('new')}>
            {text('list.saveView')}
          </Button>
        </Popover.Dropdown>
      </Popover>
      {edited && (
        <ViewDialog
          list={list}
          view={edited === 'new' ? undefined : edited}
          present={present}
          mayShare={mayShare}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  )
}

/** Whether two views show the same, in whichever order their parameters are written. */
function isSame(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>) {
  const [keys, others] = [Object.keys(a), Object.keys(b)]
  return keys.length > 0 && keys.length === others.length && keys.every((key) => a[key] === b[key])
}
