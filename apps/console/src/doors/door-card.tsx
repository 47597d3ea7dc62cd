import { Drawer, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { InterlocksOfDoor } from '../commands/interlocks-of-door.tsx'
import { LockedDown } from '../commands/locked-down.tsx'
import { UnlockOnce } from '../commands/unlock-once.tsx'
import { useAccount } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import styles from './door-card.module.css'
import { type Door, DoorStateCell, directionText } from './door-columns.tsx'
import { DoorVerbs } from './door-verbs.tsx'
import { isWired } from './door-wiring.ts'

type Props = { door: Door; zone: string; onClose: () => void }

/** A door with its current state and its commands, without its settings. */
export function DoorCard({ door, zone, onClose }: Props) {
  const { ref } = useAccount()
  const to: string = `/${ref}/sites/${door.site}`
  return (
    <Drawer
      opened
      onClose={onClose}
      title={door.name}
      size={380}
      classNames={{ title: styles.title }}
      closeButtonProps={{ 'aria-label': text('action.close') }}
    >
      <div className={styles.card}>
        <span className="soft">{directionText(door.directions)}</span>
        <div>
          <DoorStateCell door={door} zone={zone} />
        </div>
        <LockedDown by={door.lockdowns} />
        {isWired(door) && (
          <Group gap={6}>
            {door.enabled && <UnlockOnce door={door} />}
            <DoorVerbs door={door} />
          </Group>
        )}
        <InterlocksOfDoor door={door._id} />
        <Link to={to} search={{ open: door._id }}>
          {text('doors.openDoor')}
        </Link>
      </div>
    </Drawer>
  )
}
