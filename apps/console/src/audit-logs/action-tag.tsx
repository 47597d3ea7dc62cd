import {
  IconDownload,
  IconLockOpen,
  IconLogin2,
  IconLogout2,
  IconPencil,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react'
import { text } from '../text/text.ts'
import styles from './action-tag.module.css'
import type { Entry } from './audit-entry.ts'

/** The action of an entry, as icon, word and colour. */
export function ActionTag({ action }: Pick<Entry, 'action'>) {
  const Icon = icons[action]
  return (
    <span className={styles.tag} data-action={action}>
      <Icon size={15} stroke={2} aria-hidden="true" />
      {text(`audit.actions.${action}`)}
    </span>
  )
}

const icons = {
  create: IconPlus,
  patch: IconPencil,
  delete: IconTrash,
  export: IconDownload,
  assume: IconLogin2,
  leave: IconLogout2,
  unlock: IconLockOpen,
}
