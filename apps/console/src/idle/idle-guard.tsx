import { useEffect, useRef, useState } from 'react'
import type { IdleState } from './idle-state.ts'
import { IdleWarning } from './idle-warning.tsx'
import { IdleWatch } from './idle-watch.ts'
import { logOut, logOutIdle } from '../session/log-out.ts'
import { endSession } from '../session/session-end.ts'

const heldMs = 10_000

/** Ends the session of an idle user (specification §4, Idle) in all tabs. */
export function IdleGuard({ idleTimeS }: { idleTimeS: number }) {
  const [state, setState] = useState<IdleState>({ is: 'active' })
  const watch = useRef<IdleWatch>(undefined)

  useEffect(() => {
    const started = new IdleWatch({
      idleTimeS,
      onState(next) {
        setState(next)
        if (next.is !== 'over') return
        started.stop()
        void endOnce()
      },
    })
    watch.current = started
    return () => {
      started.stop()
      setState({ is: 'active' })
    }
  }, [idleTimeS])

  if (state.is !== 'warned') return null
  return (
    <IdleWarning
      idleTimeS={idleTimeS}
      secondsLeft={state.secondsLeft}
      onContinue={() => watch.current?.continueSession()}
      onLogOut={() => void logOut()}
    />
  )
}

/** Several tabs see the end at the same time: one of them logs out, the others only leave. */
async function endOnce() {
  // Without a secure context there are no locks; then each logs out, which does no harm.
  if (!('locks' in navigator)) return logOutIdle()
  await navigator.locks.request('portcullis-idle-end', { ifAvailable: true }, async (lock) => {
    if (!lock) return endSession('elsewhere')
    await logOutIdle()
    // Held until even a slow tab has received the message.
    await new Promise((resolve) => setTimeout(resolve, heldMs))
  })
}
