import { useEffect, useEffectEvent } from 'react'
import { onTabMessage, isSignedInElsewhere } from './session-channel.ts'

/** A page that waits for a sign-in continues when a user signs in in another tab: all tabs share one session. */
export function useSignedInElsewhere(onSignedIn: () => void) {
  const look = useEffectEvent(() => {
    if (isSignedInElsewhere()) onSignedIn()
  })
  useEffect(() => {
    // The message may have come while this page was loading.
    look()
    return onTabMessage(look)
  }, [])
}
