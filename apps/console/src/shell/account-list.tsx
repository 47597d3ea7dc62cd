import { TextInput } from '@mantine/core'
import type { AccountNode } from '@portcullis/contract/calls/authentication'
import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { IconCheck, IconLogin2, IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useId, useLayoutEffect, useMemo, useState } from 'react'
import { ErrorNotice } from '../ui/list-notice.tsx'
import { flatAccounts, foundAccounts, isFound } from '../account-tree/account-search.ts'
import { useFixedRows } from '../ui/use-fixed-rows.ts'
import { useMayActInside } from '../accounts/use-may-act-inside.ts'
import { hierarchyQuery } from '../session/me-query.ts'
import { useAccount } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { activeRow } from './active-row.ts'
import styles from './account-switcher.module.css'
import { placeElsewhere } from './place-elsewhere.ts'

const rowPx = 36

type Props = { onChosen: () => void; onActInside: (account: AccountNode) => void }

/** Accounts to switch to. The focus stays in the search: letters narrow the list, arrows, Home and End move in it, Enter switches, Shift and Enter acts inside. */
export function AccountList({ onChosen, onActInside }: Props) {
  const [search, setSearch] = useState('')
  const [moved, setMoved] = useState<number>()
  const id = useId()
  const account = useAccount()
  const mayAct = useMayActInside()
  const below = useMemo(() => new Set(mayAct ? account.descendants : []), [mayAct, account.descendants])
  const hierarchy = useQuery(hierarchyQuery())
  const navigate = useNavigate()
  const { pathname, searchStr } = useLocation()
  const { data } = hierarchy
  const rows = useMemo(() => flatAccounts(foundAccounts(data ?? [], search)), [data, search])
  const first = useMemo(
    () => rows.findIndex(({ node }) => (search.trim() === '' ? node.ref === account.ref : isFound(node, search))),
    [rows, search, account.ref],
  )
  const active = moved ?? Math.max(0, first)
  const { box, bringIntoView, from, to, beforePx, afterPx } = useFixedRows<HTMLDivElement>({
    count: rows.length,
    rowPx,
  })
  // The row that Enter would select is visible, whatever was typed.
  useLayoutEffect(() => bringIntoView(active), [bringIntoView, active])

  function switchTo(ref: string) {
    onChosen()
    void navigate({ href: `/${ref}${placeElsewhere(pathname.slice(account.ref.length + 1), searchStr)}` })
  }

  function press(event: KeyboardEvent) {
    const next = activeRow({ key: event.key, active, count: rows.length })
    const chosen = event.key === 'Enter' ? rows[active] : undefined
    if ((next === undefined && !chosen) || event.nativeEvent.isComposing) return
    event.preventDefault()
    if (next !== undefined) setMoved(next)
    if (!chosen) return
    if (!event.shiftKey || below.size === 0) switchTo(chosen.node.ref)
    else if (below.has(chosen.node.ref)) onActInside(chosen.node)
  }

  return (
    <>
      <TextInput
        data-autofocus
        type="search"
        role="combobox"
        aria-expanded
        aria-autocomplete="list"
        aria-controls={`${id}-list`}
        aria-activedescendant={rows.length > 0 ? `${id}-${active}` : undefined}
        aria-label={text('shell.searchAccounts')}
        placeholder={text('shell.searchAccounts')}
        leftSection={<IconSearch size={16} aria-hidden="true" />}
        autoComplete="off"
        value={search}
        onChange={(event) => {
          setSearch(event.currentTarget.value)
          setMoved(undefined)
        }}
        onKeyDown={press}
      />
      {hierarchy.isError && <ErrorNotice error={hierarchy.error} onRetry={() => void hierarchy.refetch()} />}
      <div
        ref={box}
        id={`${id}-list`}
        role="listbox"
        aria-label={text('shell.switchAccount')}
        tabIndex={-1}
        className={styles.list}
      >
        <div role="presentation" style={{ paddingTop: beforePx, paddingBottom: afterPx }}>
          {rows.slice(from, to).map(({ node, depth }, place) => (
            <div
              key={node._id}
              id={`${id}-${from + place}`}
              role="option"
              aria-selected={node.ref === account.ref}
              aria-posinset={from + place + 1}
              aria-setsize={rows.length}
              data-active={from + place === active ? '' : undefined}
              data-bold={depth === 0 && node.children.length > 0 ? '' : undefined}
              className={styles.account}
              style={{ height: rowPx, paddingInlineStart: 10 + Math.min(depth, 10) * 16 }}
              onClick={() => switchTo(node.ref)}
            >
              <bdi>{node.name}</bdi>
              {node.status === 'suspended' && <span className={styles.note}>{text('state.suspended')}</span>}
              {node.ref === account.ref && <IconCheck size={15} aria-hidden="true" />}
              {below.has(node.ref) && (
                <span
                  className={styles.inside}
                  title={text('acting.actIn', { name: node.name })}
                  onClick={(event) => {
                    event.stopPropagation()
                    onActInside(node)
                  }}
                >
                  <IconLogin2 size={16} aria-hidden="true" />
                </span>
              )}
            </div>
          ))}
        </div>
      </div>
      {below.size > 0 && <p className={styles.key}>{text('acting.key')}</p>}
      {hierarchy.isSuccess && rows.length === 0 && (
        <p className={styles.none} role="status">
          {text('shell.noAccounts')}
        </p>
      )}
    </>
  )
}
