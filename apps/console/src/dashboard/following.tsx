import type { Collection } from '@portcullis/contract/collection'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLiveSocket } from '../live/live-context.tsx'
import { isRefusal } from '../session/refusals.ts'
import { useAccount } from '../session/session-context.tsx'
import { changingPace } from './changing-pace.ts'
import { isRested, toldKey } from './use-told.ts'

/** Has the tiles of a collection asked anew when something of it changes, as often as somebody who looks can take in. */
export function Following({ of }: { of: Collection }) {
  const live = useLiveSocket()
  const { ref } = useAccount()
  const queryClient = useQueryClient()

  useEffect(() => {
    const pace = changingPace(() => {
      const queryKey = toldKey(of, ref)
      void queryClient.invalidateQueries(
        { queryKey, predicate: (query) => !isRefusal(query.state.error) && isRested(query) },
        { cancelRefetch: false },
      )
    })
    const end = live.follow({
      entity: of.entity,
      accountRef: ref,
      onSave: pace.changed,
      onRemove: pace.changed,
      onGap: (gap) => gap === 'missed' && pace.changed(),
    })
    document.addEventListener('visibilitychange', pace.looked)
    return () => {
      end()
      pace.stop()
      document.removeEventListener('visibilitychange', pace.looked)
    }
  }, [of, ref, live, queryClient])
  return null
}
