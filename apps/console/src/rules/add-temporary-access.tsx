import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import styles from './add-temporary-access.module.css'
import { GiveAccessDrawer } from './give-access-drawer.tsx'
import { InviteGuestDrawer } from './invite-guest-drawer.tsx'

const recipients = ['users', 'guest'] as const

/** Temporary access for users and groups, or for a guest. */
export function AddTemporaryAccess({ onClose }: { onClose: () => void }) {
  const mayInvite = [useCan('manage', 'Access Control'), useCan('manage', 'Users')].every(Boolean)
  const [recipient, setRecipient] = useState<(typeof recipients)[number]>('users')
  const choice = mayInvite && (
    <div className={styles.choice}>
      <SegmentedControl
        fullWidth
        aria-label={text('guests.for')}
        value={recipient}
        onChange={(value) => setRecipient(value === 'guest' ? 'guest' : 'users')}
        data={recipients.map((value) => ({ value, label: text(`guests.recipients.${value}`) }))}
      />
    </div>
  )
  if (recipient === 'guest') return <InviteGuestDrawer onClose={onClose} before={choice} />
  return <GiveAccessDrawer onClose={onClose} before={choice} />
}
