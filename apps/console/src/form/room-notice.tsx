import { Button } from '@mantine/core'
import type { ChangePreview } from '@portcullis/contract/change-preview'
import type { Collection } from '@portcullis/contract/collection'
import { IconAlertTriangle } from '@tabler/icons-react'
import { isolated, listOf } from '../text/catalogue.ts'
import { text } from '../text/text.ts'
import styles from './conflict-notice.module.css'
import type { ItemForm } from './use-item-form.ts'

type Lack = ChangePreview['noRoom'][number]

/** The controllers without room for what the form would save: the user saves anyway, or changes the values first. */
export function RoomNotice<C extends Collection>({ form }: { form: ItemForm<C> }) {
  const { tried, isSaving, saveAnyway } = form
  if (tried === undefined) return null
  return (
    <div className={styles.notice} role="alert">
      <IconAlertTriangle size={17} aria-hidden="true" />
      <div className={styles.words}>
        <b>{text('room.title')}</b>
        {tried.noRoom.map((lack) => (
          <p key={lack._id}>{sentencesOf(lack).join(' ')}</p>
        ))}
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

function sentencesOf(lack: Lack) {
  const { name, cardholders, doors, schedules } = lack
  const { most, needs } = amountsOf(lack)
  return [
    name === null ? text('room.hiddenUnit', { most, needs }) : text('room.unit', { name: isolated(name), most, needs }),
    cardholders.total > 0 && text('room.cardholders', { count: cardholders.total }),
    cardholders.items.length > 0 && text('room.named', { names: namesOf(cardholders.items) }),
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
  return listOf(items.length > shown ? [...names, text('form.andMore', { count: items.length - shown })] : names)
}
