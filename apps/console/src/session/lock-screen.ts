import type { CurrentUser } from '@portcullis/contract/calls/authentication'
import { keepPerson } from './kept-person.ts'
import { tellTabs } from './session-channel.ts'
import { endSession } from './session-end.ts'

/** Locks every tab; the lock screen itself ends the session on the server. */
export function lockScreen({ name, email, img }: CurrentUser, returnUrl: string) {
  keepPerson({ name, email, img, isLocked: true, returnUrl })
  endSession('locked')
  tellTabs({ kind: 'locked' })
}
