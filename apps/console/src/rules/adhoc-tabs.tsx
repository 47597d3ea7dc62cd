import type { Filter } from '@portcullis/contract/list-query'
import { rules } from '@portcullis/contract/collections/rules'
import { Link, useSearch } from '@tanstack/react-router'
import { useList } from '../item/use-list.ts'
import { useMinute } from '../time/use-minute.ts'
import { text } from '../text/text.ts'
import styles from '../ui/screen-tabs.module.css'
import { type AdhocState, adhocStates, stateFilter } from './adhoc-state.ts'

/** The rules with a time box. */
export const temporary: Filter = { 'adhoc.until': { exists: true } }

/** All, active, upcoming and past access as tabs with their numbers; the address keeps the selected one. */
export function AdhocTabs() {
  return (
    <nav className={styles.tabs} aria-label={text('adhoc.state')}>
      <Tab state={undefined} />
      {adhocStates.map((state) => (
        <Tab key={state} state={state} />
      ))}
    </nav>
  )
}

function Tab({ state }: { state: AdhocState | undefined }) {
  const address: Record<string, string | undefined> = useSearch({ strict: false })
  const now = useMinute()
  const filter = state === undefined ? temporary : { and: [temporary, stateFilter(state, now)] }
  const { data } = useList(rules, { size: 1, filter })
  const name = text(state === undefined ? 'adhoc.all' : `adhoc.states.${state}`)
  return (
    <Link
      to="."
      search={{ ...address, state, page: undefined }}
      // The router would also mark the tab of all, whose address is part of the others.
      activeOptions={{ exact: true, includeSearch: true }}
      aria-current={address['state'] === state ? 'page' : undefined}
    >
      {data ? text('adhoc.tab', { name, count: data.page.totalElements }) : name}
    </Link>
  )
}
