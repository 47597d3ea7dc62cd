import { type ComboboxProps, MultiSelect, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { Collection } from '@portcullis/contract/collection'
import type { Filter } from '@portcullis/contract/list-query'
import { type ComponentType, useState } from 'react'
import { useSession } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { idOf, nameOf } from '../item/item-parts.ts'
import { useList } from '../item/use-list.ts'
import { useNames } from '../item/use-names.ts'
import { z } from 'zod'
import { mayRemember, remembered } from '../cookies/cookie-consent.ts'

type Shared = {
  of: Collection
  label: string
  description?: string | undefined
  placeholder?: string | undefined
  error?: string | undefined
  isRequired?: boolean
  isDisabled?: boolean
  /** Filters the options: the units of a site. */
  filter?: Filter | undefined
  comboboxProps?: ComboboxProps
  /** The second line of an option, where names alone are not clear. */
  second?: Second
}

export type Second = ComponentType<{ id: string }>

const offered = 50

/** Selects one item of a collection by name, with a search on the server. Its value is the `_id`. */
export function ReferencePicker({
  value,
  onChange,
  ...shared
}: Shared & { value: string | null; onChange: (id: string | null) => void }) {
  const { inputProps, search, setSearch, remember } = usePicker(shared, value === null ? [] : [value])
  return (
    <Select
      {...inputProps}
      clearable={!shared.isRequired}
      value={value}
      onChange={(id) => {
        if (id !== null) remember(id)
        onChange(id)
      }}
      searchValue={search}
      onSearchChange={setSearch}
    />
  )
}

/** Selects any number of items of a collection. Its value is their `_id`s. */
export function ReferencesPicker({
  value,
  onChange,
  ...shared
}: Shared & { value: readonly string[]; onChange: (ids: string[]) => void }) {
  const { inputProps, search, setSearch, remember } = usePicker(shared, value)
  return (
    <MultiSelect
      {...inputProps}
      hidePickedOptions
      value={[...value]}
      onChange={(ids) => {
        for (const id of ids) if (!value.includes(id)) remember(id)
        onChange(ids)
      }}
      searchValue={search}
      onSearchChange={setSearch}
    />
  )
}

function nothingText({ isError, isPending }: { isError: boolean; isPending: boolean }) {
  if (isError) return text('error.load')
  return isPending ? text('loading') : text('form.noMatches')
}

function usePicker(shared: Shared, chosen: readonly string[]) {
  const {
    of,
    label,
    description,
    placeholder,
    error,
    isRequired = false,
    isDisabled = false,
    filter,
    comboboxProps,
  } = shared
  const [search, setSearch] = useState('')
  const [debounced] = useDebouncedValue(search, 200)
  const { user, account } = useSession()
  const place = { person: user._id, accountRef: account.ref, collection: of.name }
  // As they were when the form opened, so that the list does not move under the pointer.
  const [recent] = useState(() => recentChoices(place))
  const names = useNames(of, [...new Set([...chosen, ...recent])])
  // The text in the field is the name of the selection, not a search.
  const isSearching = debounced !== '' && ![...names.values()].includes(debounced)
  const { data, isPending, isError } = useList(of, {
    size: offered,
    sort: { prop: 'name', dir: 'asc' },
    ...(isSearching ? { search: debounced } : {}),
    ...(filter ? { filter } : {}),
  })

  const found = (data?.items ?? []).map((item) => ({ value: idOf(item), label: nameOf(item) ?? '' }))
  const foundIds = new Set(found.map((option) => option.value))
  const others = chosen
    .filter((id) => !foundIds.has(id))
    .map((value) => ({ value, label: names.get(value) ?? (names.has(value) ? text('form.removed') : '…') }))
  const all = [...found, ...others]
  // A filtered list offers only the matching items.
  const again = isSearching || filter ? [] : recent.flatMap((value) => optionOf(value, names.get(value)))
  const againIds = new Set(again.map(({ value }) => value))
  const rest = all.filter(({ value }) => !againIds.has(value))

  const inputProps = {
    label,
    description,
    error,
    comboboxProps,
    required: isRequired,
    disabled: isDisabled,
    placeholder: placeholder ?? text('form.searchToChoose'),
    searchable: true,
    data:
      again.length === 0
        ? all
        : [
            { group: text('form.recent'), items: again },
            { group: text('form.all'), items: rest },
          ],
    filter: <O,>({ options }: { options: O[] }) => options,
    maxDropdownHeight: 280,
    nothingFoundMessage: nothingText({ isError, isPending }),
    ...optionsOf(shared),
  }
  return { inputProps, search, setSearch, remember: (id: string) => rememberChoice(place, id) }
}

function optionsOf({ second: Second }: Shared) {
  if (!Second) return {}
  const renderOption = ({ option: { value, label } }: { option: { value: string; label: string } }) => (
    <span>
      {label}
      <span className="second">
        <Second id={value} />
      </span>
    </span>
  )
  return { renderOption }
}

/** Deleted items, and those that the user may not see, are not offered. */
function optionOf(value: string, label: string | null | undefined) {
  return label ? [{ value, label }] : []
}

const most = 5
const idsSchema = z.array(z.uuid()).max(most)

type Place = { person: string; accountRef: string; collection: string }

/** The user's recent choices of a collection in this account, the newest first. Ids only: the server has the names. */
function recentChoices(place: Place): readonly string[] {
  try {
    return idsSchema.safeParse(JSON.parse(localStorage.getItem(keyOf(place)) ?? '[]')).data ?? []
  } catch {
    return []
  }
}

/** Stores a choice, with the user's consent. */
function rememberChoice(place: Place, id: string) {
  if (!mayRemember()) return
  const ids = [id, ...recentChoices(place).filter((recent) => recent !== id)].slice(0, most)
  try {
    localStorage.setItem(keyOf(place), JSON.stringify(ids))
  } catch {
    // A browser without storage offers everything in one list.
  }
}

function keyOf({ person, accountRef, collection }: Place) {
  return `${remembered.choices}${person}/${accountRef}/${collection}`
}
