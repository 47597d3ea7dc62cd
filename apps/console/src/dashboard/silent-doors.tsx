import { doors } from '@portcullis/contract/collections/doors'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { client } from '../session/client.ts'
import { text } from '../text/text.ts'
import styles from './rows.module.css'
import { unitTrouble } from './unit-troubles.ts'
import { useTold } from './use-told.ts'
import { useUnitsNow } from './units-now.ts'

/** How many doors are told as they were when their controller fell silent, which nobody knows to be so still. */
export function SilentDoors() {
  const known = useUnitsNow().data?.known ?? []
  const silent = known.filter((unit) => unitTrouble(unit) === 'offline').map(({ _id }) => _id)
  const told = useTold({
    of: doors,
    what: `behind ${silent.join()}`,
    ask: (signal) => client.of(doors).count({ filter: { enabled: true, unit: { in: silent } } }, { signal }),
    isEnabled: silent.length > 0,
  })
  const count = told.data?.count ?? 0
  if (silent.length === 0 || count === 0) return null
  return (
    <p className={styles.note}>
      <IconPlugConnectedX size={16} stroke={1.8} aria-hidden="true" />
      {text('dashboard.silentDoors', { count })}
    </p>
  )
}
