import { Button } from '@mantine/core'
import type { ChangePreview } from '@portcullis/contract/change-preview'
import type { Collection } from '@portcullis/contract/collection'
import { IconAlertTriangle } from '@tabler/icons-react'
import { decimal, isolated, listOf } from '../text/catalogue.ts'
import { text } from '../text/text.ts'
import { withMore } from '../text/with-more.ts'
import styles from './conflict-notice.module.css'
import type { ItemForm } from './use-item-form.ts'

type Lack = ChangePreview['noRoom'][number]

const shownUnits = 3

/** The controllers without room for what the form would save: the user saves anyway, or changes the values first. */
export function RoomNotice<C extends Collection>({ form }: { form: ItemForm<C> }) {
  const { tried, isSaving, saveAnyway } = form
  if (tried === undefined) return null
  return (
    <div className={`${styles.notice} ${styles.inFooter}`} role="alert" tabIndex={-1} ref={focus}>
      <IconAlertTriangle size={17} aria-hidden="true" />
      <div className={styles.words}>
        <b>{text('room.title')}</b>
        {tried.noRoom.slice(0, shownUnits).map((lack) => (
          <p key={lack._id}>{sentencesOf(lack).join(' ')}</p>
        ))}
        {tried.noRoom.length > shownUnits && (
          <p>{text('room.moreUnits', { count: tried.noRoom.length - shownUnits })}</p>
        )}
        {tried.hasHiddenUnits && <p>{text('room.hiddenUnits')}</p>}
        {tried.notExamined > 0 && <p>{text('room.notExamined', { count: tried.notExamined })}</p>}
        <div>
          <Button size="xs" loading={isSaving} onClick={() => void saveAnyway()}>
            {text('room.saveAnyway')}
          </Button>
        </div>
      </div>
    </div>
  )
}

/** Not the button: a second press of Enter must not accept what the user has not read. */
function focus(notice: HTMLElement | null) {
  notice?.focus()
}

function sentencesOf(lack: Lack) {
  const { name, cardholders, incomplete, doors, schedules } = lack
  const { most, needs } = amountsOf(lack)
  return [
    text('room.unit', { name: isolated(name), most, needs }),
    cardholders.total > 0 && text('room.cardholders', { count: cardholders.total }),
    cardholders.items.length > 0 && text('room.named', { names: namesOf(cardholders.items) }),
    incomplete.length > 0 && text('room.atDoors', { names: namesOf(incomplete.map(withCount)) }),
    doors.length > 0 && text('room.doors', { names: namesOf(doors) }),
    schedules.length > 0 && text('room.schedules', { names: namesOf(schedules) }),
  ].filter((sentence) => sentence !== false)
}

/** Of each kind of which there are too many: how many there is room for, and how many there would be. */
function amountsOf({ capacity, needs }: Lack) {
  const kinds = [
    ['credentials', 'room.credentials'],
    ['doors', 'room.doorCount'],
    ['schedules', 'room.scheduleCount'],
  ] as const
  const exceeded = kinds.filter(([kind]) => needs[kind] > capacity[kind])
  const amounts = (of: Lack['needs']) => listOf(exceeded.map(([kind, words]) => text(words, { count: of[kind] })))
  return { most: amounts(capacity), needs: amounts(needs) }
}

const shown = 5

function namesOf(items: readonly { name: string }[]) {
  const names = items.slice(0, shown).map(({ name }) => isolated(name))
  return withMore(names, items.length - shown)
}

function withCount({ name, cardholders }: Lack['incomplete'][number]) {
  return { name: `${name} (${decimal.format(cardholders)})` }
}
