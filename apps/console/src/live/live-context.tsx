import { Live, type LiveState } from '@portcullis/client/live'
import { useSuspenseQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useEffect, useSyncExternalStore } from 'react'
import { configurationQuery } from '../session/configuration-query.ts'
import { renewRights } from '../session/renew-rights.ts'
import { whenSessionEnds } from '../session/session-end.ts'

/** How often rights are checked without the channel. */
const refetchMs = 45_000

const LiveContext = createContext<Live | undefined>(undefined)

export function LiveProvider({ children }: { children: ReactNode }) {
  const { data } = useSuspenseQuery(configurationQuery)
  const live = liveSocket(data.version)
  const state = useSyncExternalStore(
    (onChange) => live.watch(onChange),
    () => live.state,
  )

  // Changes made while the channel was closed are not sent. A channel that was closed for good mostly means that the session is
  // over: asking who is signed in shows that, and logs out.
  useEffect(() => {
    if (state === 'live' || state === 'ended') void renewRights()
    if (state === 'live') return undefined
    const timer = setInterval(() => void renewRights(), refetchMs)
    return () => clearInterval(timer)
  }, [state])
  useEffect(() => live.watchRights(() => void renewRights()), [live])
  return <LiveContext value={live}>{children}</LiveContext>
}

export function useLiveSocket(): Live {
  const live = use(LiveContext)
  if (!live) throw new Error('useLiveSocket must be used inside the live channel.')
  return live
}

/** The state of the channel: connecting, live, reconnecting or ended. */
export function useLiveState(): LiveState {
  const live = useLiveSocket()
  return useSyncExternalStore(
    (onChange) => live.watch(onChange),
    () => live.state,
  )
}

let live: Live | undefined

/** The one real-time socket of the session, opened when it is first needed and closed with the session. */
function liveSocket(appVersion: string): Live {
  live ??= new Live({ baseUrl: '', appVersion })
  return live
}

whenSessionEnds(() => {
  live?.close()
  live = undefined
})
