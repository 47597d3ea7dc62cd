import { useEffect, useEffectEvent } from 'react'
import { hearTabs, isSignedInElsewhere } from './session-channel.ts'

/** A page that waits for a sign-in goes on where somebody signs in in another tab: all tabs are signed in as one. */
export function useSignedInElsewhere(goOn: () => void) {
  const look = useEffectEvent(() => {
    if (isSignedInElsewhere()) goOn()
  })
  useEffect(() => {
    // It may have been said while this page was on its way.
    look()
    return hearTabs(look)
  }, [])
}
