import { Combobox, Pill, PillsInput, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { idOf, nameOf } from '../item/item-parts.ts'
import { useList } from '../item/use-list.ts'
import type { FieldOf } from '../form/use-item-form.ts'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { kindInWords, type Subject, type SubjectKind, subjectKinds } from './rule-subjects.ts'
import styles from './subject-picker.module.css'
import { useSubjects } from './use-subjects.ts'

type Props<K extends SubjectKind> = {
  field: FieldOf<Subject<K>[]>
  label: string
  kinds: readonly K[]
  canEdit: boolean
}

const offeredOfEach = 8

/** Selects several items of several kinds, with a search on the server: the users and the doors of a rule. */
export function SubjectPicker<K extends SubjectKind>({ field, label, kinds, canEdit }: Props<K>) {
  const [search, setSearch] = useState('')
  const [debounced] = useDebouncedValue(search, 200)
  const { value: chosen, onChange } = field
  const { nameOf: subjectName, sizeOf } = useSubjects(chosen)
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })

  function add(option: string) {
    const [kindText, id] = option.split('|')
    const kind = kinds.find((each) => each === kindText)
    if (!kind || !id) return
    const isChosen = chosen.some((each) => each.id === id)
    onChange(isChosen ? chosen.filter((each) => each.id !== id) : [...chosen, { kind, id }])
    setSearch('')
  }

  function removeLast() {
    if (search === '') onChange(chosen.slice(0, -1))
  }

  return (
    <Combobox store={combobox} onOptionSubmit={add}>
      <Combobox.DropdownTarget>
        <PillsInput
          label={label}
          required={field.isRequired}
          error={field.error}
          disabled={!canEdit}
          onClick={() => combobox.openDropdown()}
        >
          <Pill.Group>
            {chosen.map((subject) => {
              const name = subjectName(subject) ?? '…'
              return (
                <Pill
                  key={subject.id}
                  className={styles.token}
                  withRemoveButton={canEdit}
                  // The library hides it from screen readers and removes it from the tab order.
                  removeButtonProps={{
                    'aria-label': text('rules.removeSubject', { name }),
                    'aria-hidden': false,
                    tabIndex: 0,
                  }}
                  onRemove={() => onChange(chosen.filter(({ id }) => id !== subject.id))}
                >
                  <bdi>{name}</bdi> <small>{kindInWords(subject.kind, sizeOf(subject))}</small>
                </Pill>
              )
            })}
            {canEdit && (
              <Combobox.EventsTarget>
                <PillsInput.Field
                  aria-label={label}
                  placeholder={text('rules.addSubject')}
                  value={search}
                  onBlur={() => combobox.closeDropdown()}
                  onChange={(event) => {
                    setSearch(event.currentTarget.value)
                    combobox.openDropdown()
                    combobox.updateSelectedOptionIndex()
                  }}
                  onKeyDown={(event) => {
                    if (event.key === 'Backspace') removeLast()
                  }}
                />
              </Combobox.EventsTarget>
            )}
          </Pill.Group>
        </PillsInput>
      </Combobox.DropdownTarget>
      <Combobox.Dropdown>
        <Combobox.Options mah={300} className={styles.options} aria-label={label}>
          {kinds.map((kind) => (
            <KindOptions key={kind} kind={kind} search={debounced} chosen={chosen} />
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}

type KindProps = { kind: SubjectKind; search: string; chosen: readonly Subject[] }

function KindOptions({ kind, search, chosen }: KindProps) {
  const { of, label } = subjectKinds[kind]
  const maySee = useCan('view', of.subject)
  const { data } = useList(
    of,
    { size: offeredOfEach, sort: { prop: 'name', dir: 'asc' }, ...(search ? { search } : {}) },
    { isEnabled: maySee },
  )
  const { sizeOf } = useSubjects([])
  const free = (data?.items ?? []).filter((item) => !chosen.some(({ id }) => id === idOf(item)))
  if (free.length === 0) return null
  return (
    <Combobox.Group label={label}>
      {free.map((item) => (
        <Combobox.Option key={idOf(item)} value={`${kind}|${idOf(item)}`}>
          <bdi>{nameOf(item)}</bdi>{' '}
          <small className={styles.kind}>{kindInWords(kind, sizeOf({ kind, id: idOf(item) }))}</small>
        </Combobox.Option>
      ))}
    </Combobox.Group>
  )
}
