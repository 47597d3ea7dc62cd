import { IconCpu, IconMinus, IconQuestionMark } from '@tabler/icons-react'
import { initialsOf } from '../shell/initials.ts'
import styles from './avatar.module.css'

/** The initials of a person in a circle; a sign where nobody is known. Decoration: the name stands beside it. */
export function Avatar({ name, sign }: { name?: string; sign?: 'unknown' | 'nobody' | 'unit' }) {
  return (
    <span className={styles.avatar} aria-hidden="true">
      {sign === undefined ? initialsOf(name ?? '') : signs[sign]}
    </span>
  )
}

const signs = {
  unknown: <IconQuestionMark size={14} />,
  nobody: <IconMinus size={14} />,
  unit: <IconCpu size={15} />,
}
