import { SegmentedControl } from '@mantine/core'
import { doors } from '@portcullis/contract/collections/doors'
import { users } from '@portcullis/contract/collections/users'
import { useSearch } from '@tanstack/react-router'
import { EmptyNotice } from '../ui/list-notice.tsx'
import { pageSizes } from '../list/state/list-state.ts'
import { ReferencePicker } from '../form/reference-picker.tsx'
import { Screen } from '../ui/screen.tsx'
import { ScreenTabs } from '../ui/screen-tabs.tsx'
import { useIsNarrow } from '../ui/use-is-narrow.ts'
import { ruleTabs } from '../navigation/rule-tabs.ts'
import { text } from '../text/text.ts'
import { type AccessView, stateNamed } from './access-toolbar.tsx'
import { DoorAccessList } from './door-access-list.tsx'
import styles from './explorer-screen.module.css'
import { questions, useExplorerQuery } from './use-explorer-query.ts'
import { useIsOpen } from './use-is-open.ts'
import { UserAccessList } from './user-access-list.tsx'
import { WouldItOpen } from './would-it-open.tsx'

/** Questions about the current rules; the URL holds the question. */
export function ExplorerScreen() {
  const isOpen = useIsOpen()
  const { query, change } = useExplorerQuery()
  const isNarrow = useIsNarrow()
  return (
    <Screen title={text('explorer.title')} beside={<ScreenTabs label={text('rules.title')} tabs={ruleTabs} />}>
      {isOpen ? (
        <>
          <SegmentedControl
            className={styles.questions}
            orientation={isNarrow ? 'vertical' : 'horizontal'}
            size={isNarrow ? 'md' : 'sm'}
            fullWidth={isNarrow}
            aria-label={text('explorer.question')}
            value={query.ask}
            data={questions.map((value) => ({ value, label: text(`explorer.questions.${value}`) }))}
            onChange={(ask) => change({ ask, accessSearch: undefined, accessCan: undefined, accessPage: undefined })}
          />
          {query.ask === 'open' && <WouldItOpen query={query} change={change} />}
          {query.ask === 'door' && <AtDoor door={query.door} change={change} />}
          {query.ask === 'user' && <OfPerson user={query.user} change={change} />}
        </>
      ) : (
        <div className={styles.panel}>
          <EmptyNotice title={text('explorer.notOpen')} hint={text('explorer.notOpenHint')} />
        </div>
      )}
    </Screen>
  )
}

type Change = ReturnType<typeof useExplorerQuery>['change']

const pageSize = 20

function AtDoor({ door, change }: { door: string | undefined; change: Change }) {
  const { view, onChange } = useView(change)
  return (
    <>
      <div className={styles.subject}>
        <ReferencePicker
          of={doors}
          label={text('explorer.door')}
          value={door ?? null}
          onChange={(id) => change({ door: id ?? undefined, accessPage: undefined })}
        />
      </div>
      <div className={styles.list}>
        {door === undefined ? (
          <div className={styles.panel}>
            <EmptyNotice title={text('explorer.startDoor')} hint={text('explorer.startDoorHint')} />
          </div>
        ) : (
          <DoorAccessList key={door} door={door} view={view} onChange={onChange} room="page" />
        )}
      </div>
    </>
  )
}

function OfPerson({ user, change }: { user: string | undefined; change: Change }) {
  const { view, onChange } = useView(change)
  return (
    <>
      <div className={styles.subject}>
        <ReferencePicker
          of={users}
          label={text('explorer.person')}
          value={user ?? null}
          onChange={(id) =>
            change({ user: id ?? undefined, credential: undefined, number: undefined, accessPage: undefined })
          }
        />
      </div>
      <div className={styles.list}>
        {user === undefined ? (
          <div className={styles.panel}>
            <EmptyNotice title={text('explorer.startUser')} hint={text('explorer.startUserHint')} />
          </div>
        ) : (
          <UserAccessList key={user} user={user} view={view} onChange={onChange} room="page" />
        )}
      </div>
    </>
  )
}

/** Search, filter and page of the list, in the address. */
function useView(change: Change) {
  const search: Record<string, string | undefined> = useSearch({ strict: false })
  const view: AccessView = {
    search: search['accessSearch'] ?? '',
    can: stateNamed(search['accessCan']),
    size: pageSizes.find((size) => String(size) === search['accessSize']) ?? pageSize,
    page: Math.max(0, Math.min(Number.parseInt(search['accessPage'] ?? '1', 10) || 1, 1_000_000) - 1),
  }

  function onChange(changes: Partial<AccessView>) {
    const next = { ...view, ...changes }
    change({
      accessSearch: next.search || undefined,
      accessCan: next.can === 'sometime' ? undefined : next.can,
      accessPage: next.page === 0 ? undefined : String(next.page + 1),
      accessSize: next.size === pageSize ? undefined : String(next.size),
    })
  }

  return { view, onChange }
}
