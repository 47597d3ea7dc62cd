import { IconCpu, IconMinus, IconQuestionMark } from '@tabler/icons-react'
import { initialsOf } from './initials.ts'
import styles from './avatar.module.css'

type Props = { name?: string; img?: string | null; sign?: 'unknown' | 'none' | 'unit' }

/** The user's picture in a circle, or their initials, or an icon for an unknown user. Decoration: the name is beside it. */
export function Avatar({ name, img, sign }: Props) {
  const letters = sign === undefined ? initialsOf(name ?? '') : signs[sign]
  return (
    <span className={styles.avatar} aria-hidden="true">
      {img ? <img src={img} alt="" width={28} height={28} loading="lazy" /> : letters}
    </span>
  )
}

const signs = {
  unknown: <IconQuestionMark size={14} />,
  none: <IconMinus size={14} />,
  unit: <IconCpu size={15} />,
}
