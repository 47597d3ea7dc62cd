import { useEffect } from 'react'
import { onTabMessage, lastSignedIn } from './session-channel.ts'
import { endSession } from './session-end.ts'

/** All tabs share one session: where it ends in one it ends here, and no page stays open under another user's name. */
export function useOtherTabs({ _id }: { _id: string }) {
  useEffect(() => {
    const follow = (user: string) => {
      if (user !== _id) location.reload()
    }
    follow(lastSignedIn() ?? _id)
    return onTabMessage((message) => {
      if (message.kind === 'over') endSession('elsewhere')
      if (message.kind === 'locked') endSession('locked')
      if (message.kind === 'signed_in') follow(message.user)
    })
  }, [_id])
}
