import {
  IconAlertTriangle,
  IconBan,
  IconBatteryExclamation,
  IconCheck,
  IconCircleDashed,
  IconClock,
  IconHistory,
  IconLock,
  IconLockOpen,
  IconPlugConnectedX,
  IconSend,
  IconX,
  type TablerIcon,
} from '@tabler/icons-react'
import { text } from '../text/text.ts'
import styles from './state-tag.module.css'

type Tone = 'ok' | 'no' | 'warn' | 'plain'

const looks = {
  granted: ['ok', IconCheck],
  denied: ['no', IconX],
  allow: ['ok', IconCheck],
  deny: ['no', IconX],
  online: ['ok', IconCheck],
  offline: ['no', IconPlugConnectedX],
  never_seen: ['plain', IconCircleDashed],
  in_step: ['ok', IconCheck],
  out_of_step: ['warn', IconAlertTriangle],
  fits: ['ok', IconCheck],
  nearly_full: ['warn', IconAlertTriangle],
  too_much: ['no', IconX],
  tampered: ['no', IconAlertTriangle],
  clock_wrong: ['warn', IconClock],
  on_battery: ['warn', IconBatteryExclamation],
  waiting: ['plain', IconClock],
  rejected: ['no', IconX],
  failed: ['no', IconAlertTriangle],
  active: ['ok', IconCheck],
  suspended: ['warn', IconBan],
  lost: ['no', IconAlertTriangle],
  stolen: ['no', IconAlertTriangle],
  revoked: ['no', IconX],
  expired: ['warn', IconClock],
  closed: ['ok', IconCheck],
  open: ['plain', IconCircleDashed],
  held: ['warn', IconAlertTriangle],
  forced: ['no', IconAlertTriangle],
  unknown: ['plain', IconCircleDashed],
  unlocked: ['warn', IconLockOpen],
  set_unlocked: ['warn', IconLockOpen],
  kept_locked: ['warn', IconLock],
  blocked: ['no', IconBan],
  lockdown: ['no', IconLock],
  enabled: ['ok', IconCheck],
  disabled: ['plain', IconBan],
  out_of_service: ['warn', IconBan],
  no_effect: ['warn', IconAlertTriangle],
  in_force: ['ok', IconCheck],
  to_come: ['plain', IconClock],
  ended: ['plain', IconHistory],
  no_number: ['warn', IconAlertTriangle],
  backfilled: ['plain', IconHistory],
  requested: ['plain', IconClock],
  sent: ['plain', IconSend],
  unreachable: ['no', IconPlugConnectedX],
  confirmed: ['ok', IconCheck],
  refused: ['no', IconX],
  not_delivered: ['no', IconPlugConnectedX],
  overdue: ['no', IconAlertTriangle],
  due_soon: ['warn', IconClock],
  certified: ['ok', IconCheck],
} as const satisfies Record<string, readonly [Tone, TablerIcon]>

export type State = keyof typeof looks

/** Every state with a look. */
export const states: readonly State[] = keysOf(looks)

/**
 * A state by icon, word and colour: `<StateTag state="online" />`. A new state needs one line in `looks` and one in the
 * catalogue; `children` replaces the word.
 */
export function StateTag({ state, children }: { state: State; children?: string }) {
  const [tone, Icon] = looks[state]
  return (
    <span className={styles.tag} data-tone={tone}>
      <Icon size={14} stroke={2.2} aria-hidden="true" />
      {children ?? text(`state.${state}`)}
    </span>
  )
}

function keysOf<K extends string>(record: Record<K, unknown>): K[] {
  const keys: K[] = []
  for (const key in record) keys.push(key)
  return keys
}
