import { Modal, useMantineColorScheme } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { IconArrowRight, IconBolt, IconBuildingCommunity, IconHistory, IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useId, useState } from 'react'
import { z } from 'zod'
import { isAllowed } from '@portcullis/contract/abilities'
import { logOut } from '../session/log-out.ts'
import { hierarchyQuery } from '../session/me-query.ts'
import { useSession } from '../session/session-context.tsx'
import { flatAccounts } from '../account-tree/account-search.ts'
import { text } from '../text/text.ts'
import { useDestinations } from './use-destinations.ts'
import { matchWords } from './match-words.ts'
import styles from './palette.module.css'
import { mayRemember, remembered } from '../cookies/cookie-consent.ts'
import { idOf } from '../item/item-parts.ts'
import { client } from '../session/client.ts'
import { entityKinds, labelOf } from '../navigation/entity-kinds.ts'

const place = z.object({ label: z.string(), hint: z.string(), path: z.string() })
type RecentPlace = z.output<typeof place>

const most = 6

type Entry = { id: string; label: string; hint?: string; run: () => void }
type Group = { heading: string; icon: typeof IconSearch; entries: readonly Entry[] }

const maxAccounts = 8

type Props = {
  /** The text that the user typed before the palette was there. */
  firstWords: string
  onClose: () => void
  onHelp: () => void
}

/** One field for everything: every screen, every item by name, every action that the user may take. */
export function Palette({ firstWords, onClose, onHelp }: Props) {
  const [typed, setTyped] = useState(firstWords)
  const [marked, setMarked] = useState<string>()
  const { groups, isSearching, isIncomplete } = useGroups({ typed, onClose, onHelp })
  const entries = groups.flatMap((group) => group.entries)
  const current = entries.find(({ id }) => id === marked) ?? entries[0]
  const listId = useId()
  const optionId = (entry: Entry) => `${listId}-${entry.id}`

  function move(event: KeyboardEvent) {
    const at = current ? entries.indexOf(current) : -1
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: entries.length - 1 }[event.key]
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault()
      current?.run()
    }
    if (to === undefined || (typed !== '' && (event.key === 'Home' || event.key === 'End'))) return
    event.preventDefault()
    const next = entries[(to + entries.length) % entries.length]
    if (!next) return
    setMarked(next.id)
    document.getElementById(optionId(next))?.scrollIntoView({ block: 'nearest' })
  }

  return (
    <Modal.Root opened onClose={onClose} size={620} yOffset="12vh" transitionProps={{ duration: 0 }}>
      <Modal.Overlay color="var(--veil)" backgroundOpacity={1} />
      <Modal.Content aria-label={text('palette.title')}>
        <div className={styles.field}>
          <IconSearch size={18} aria-hidden="true" />
          <input
            // The focus trap waits for a timer; letters typed until then must not be lost.
            autoFocus
            data-autofocus
            role="combobox"
            aria-expanded="true"
            aria-controls={listId}
            aria-activedescendant={current && optionId(current)}
            aria-autocomplete="list"
            aria-label={text('palette.title')}
            placeholder={text('palette.placeholder')}
            autoComplete="off"
            spellCheck={false}
            value={typed}
            onChange={(event) => {
              setTyped(event.currentTarget.value)
              setMarked(undefined)
            }}
            onKeyDown={move}
          />
          <kbd className={styles.key}>Esc</kbd>
        </div>
        <div className={styles.groups} id={listId} role="listbox" aria-label={text('palette.title')} tabIndex={-1}>
          {groups.map(({ heading, icon: Icon, entries: own }) => (
            <div key={heading} role="group" aria-label={heading}>
              <p className={styles.heading} aria-hidden="true">
                {heading}
              </p>
              {own.map((entry) => (
                // Keys on an option belong to the field, which keeps the focus.
                <div
                  key={entry.id}
                  id={optionId(entry)}
                  role="option"
                  tabIndex={-1}
                  aria-selected={entry === current}
                  className={styles.entry}
                  onMouseMove={() => setMarked(entry.id)}
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={entry.run}
                  onKeyDown={() => undefined}
                >
                  <Icon size={16} stroke={1.7} aria-hidden="true" />
                  <bdi>{entry.label}</bdi>
                  {entry.hint && <span className={styles.hint}>{entry.hint}</span>}
                </div>
              ))}
            </div>
          ))}
        </div>
        <p className={styles.status} role="status">
          {statusText({ count: entries.length, isSearching, isIncomplete })}
        </p>
      </Modal.Content>
    </Modal.Root>
  )
}

function statusText({
  count,
  isSearching,
  isIncomplete,
}: Record<'isSearching' | 'isIncomplete', boolean> & { count: number }) {
  if (isIncomplete) return text('palette.incomplete')
  if (isSearching) return text('palette.searching')
  return count === 0 ? text('palette.nothing') : text('palette.results', { count })
}

function useGroups({ typed, onClose, onHelp }: { typed: string; onClose: () => void; onHelp: () => void }) {
  const { account } = useSession()
  const navigate = useNavigate()
  const { setColorScheme } = useMantineColorScheme()
  const hierarchy = useQuery(hierarchyQuery())
  const [words] = useDebouncedValue(typed, 150)
  const found = useFoundItems(words)
  const [recent] = useState(() => recentPlaces(account.ref))

  function going({ id, label, hint = '', path }: { id: string; label: string; hint?: string; path: string }): Entry {
    return {
      id,
      label,
      hint,
      run: () => {
        rememberPlace(account.ref, { label, hint, path })
        onClose()
        void navigate({ href: `/${account.ref}${path}` })
      },
    }
  }
  const doing = (id: string, label: string, act: () => void): Entry => ({
    id,
    label,
    run: () => {
      onClose()
      act()
    },
  })

  const places = useDestinations()
  const screens = places
    .filter(({ kind }) => kind === 'screen')
    .map(({ label, path }) => going({ id: `to:${path}`, label, path }))
  const actions = [
    ...places
      .filter(({ kind }) => kind === 'action')
      .map(({ label, path }) => going({ id: `do:${path}`, label, path })),
    doing('do:light', text('palette.lightScheme'), () => setColorScheme('light')),
    doing('do:dark', text('palette.darkScheme'), () => setColorScheme('dark')),
    doing('do:keys', text('palette.shortcuts'), onHelp),
    doing('do:out', text('palette.logOut'), () => void logOut()),
  ]
  const accounts = flatAccounts(hierarchy.data ?? [])
    .filter(({ node }) => node.ref !== account.ref)
    .map(({ node }) => ({
      ...doing(`in:${node.ref}`, text('palette.switchTo', { name: node.name }), () => {
        void navigate({ href: `/${node.ref}/sites` })
      }),
      hint: node.ref,
    }))

  const isBlank = typed.trim() === ''
  const groups: Group[] = [
    {
      heading: text('palette.recent'),
      icon: IconHistory,
      entries: isBlank ? recent.map((place) => going({ ...place, id: `again:${place.path}` })) : [],
    },
    { heading: text('palette.items'), icon: IconSearch, entries: isBlank ? [] : found.items.map(going) },
    { heading: text('palette.screens'), icon: IconArrowRight, entries: matchWords(screens, typed) },
    { heading: text('palette.actions'), icon: IconBolt, entries: matchWords(actions, typed) },
    {
      heading: text('palette.accounts'),
      icon: IconBuildingCommunity,
      entries: isBlank ? [] : matchWords(accounts, typed).slice(0, maxAccounts),
    },
  ]
  return {
    groups: groups.filter(({ entries }) => entries.length > 0),
    isSearching: found.isSearching || (!isBlank && words !== typed),
    isIncomplete: found.isIncomplete,
  }
}

/** The places recently opened from the palette in this tab, in this account: the newest first. */
function recentPlaces(accountRef: string): RecentPlace[] {
  try {
    const parsed = z.array(place).safeParse(JSON.parse(sessionStorage.getItem(keyOf(accountRef)) ?? '[]'))
    return parsed.data ?? []
  } catch {
    return []
  }
}

/** Stores it, if the user consented. */
function rememberPlace(accountRef: string, { label, hint, path }: RecentPlace) {
  if (!mayRemember()) return
  const recent = recentPlaces(accountRef).filter((each) => each.path !== path)
  const places = [{ label, hint, path }, ...recent].slice(0, most)
  try {
    sessionStorage.setItem(keyOf(accountRef), JSON.stringify(places))
  } catch {
    // A browser without storage has no recent places.
  }
}

function keyOf(accountRef: string) {
  return `${remembered.places}${accountRef}`
}

type FoundItem = { kind: 'item'; label: string; hint: string; path: string; id: string }

const eachKind = 5
/** One letter matches too many items. */
const leastLetters = 2

/** Items of the account whose name contains the words: a few of each kind that the user may see. */
function useFoundItems(words: string) {
  const { rules, account } = useSession()
  const hasQuery = words.trim().length >= leastLetters
  const kinds = entityKinds.filter(({ of }) => isAllowed(rules, { action: 'view', subject: of.subject }))
  return useQueries({
    queries: kinds.map((kind) => ({
      queryKey: ['palette', kind.of.name, account.ref, words],
      queryFn: async ({ signal }: { signal: AbortSignal }): Promise<FoundItem[]> => {
        const { items } = await client.of(kind.of).list({ search: words.trim(), size: eachKind }, { signal })
        return items.map((item) => ({
          kind: 'item',
          label: labelOf(kind, item),
          hint: kind.one,
          path: kind.pathOf(item),
          id: `${kind.of.name}:${idOf(item)}`,
        }))
      },
      enabled: hasQuery,
      staleTime: 10_000,
    })),
    combine: (answers) => ({
      items: hasQuery ? answers.flatMap(({ data }) => data ?? []) : [],
      isSearching: hasQuery && answers.some(({ isFetching }) => isFetching),
      isIncomplete: hasQuery && answers.some(({ isError }) => isError),
    }),
  })
}
