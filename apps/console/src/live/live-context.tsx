import type { Live, LiveState } from '@portcullis/client/live'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useEffect, useSyncExternalStore } from 'react'
import { configurationQuery } from '../session/me-query.ts'
import { liveSocket } from './live-socket.ts'

const LiveContext = createContext<Live | undefined>(undefined)

export function LiveProvider({ children }: { children: ReactNode }) {
  const { data } = useSuspenseQuery(configurationQuery)
  const live = liveSocket(data.version)
  const queryClient = useQueryClient()

  // A channel that was closed for good mostly means that the session is over: asking who is signed in tells, and logs out. Where
  // rights have changed it tells what one may do now.
  useEffect(() => {
    const askWho = () => void queryClient.invalidateQueries({ queryKey: ['me'] })
    const ends = [live.watch((state) => state === 'ended' && askWho()), live.watchRights(askWho)]
    return () => {
      for (const end of ends) end()
    }
  }, [live, queryClient])
  return <LiveContext value={live}>{children}</LiveContext>
}

export function useLiveSocket(): Live {
  const live = use(LiveContext)
  if (!live) throw new Error('A live screen stands outside of the live channel.')
  return live
}

/** What the channel is doing: connecting, live, reconnecting or ended. */
export function useLiveState(): LiveState {
  const live = useLiveSocket()
  return useSyncExternalStore(
    (onChange) => live.watch(onChange),
    () => live.state,
  )
}
