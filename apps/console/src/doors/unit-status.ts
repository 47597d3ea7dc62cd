import { units } from '@portcullis/contract/collections/units'
import { useQueryClient } from '@tanstack/react-query'
import { fieldKey } from '../item/keys.ts'
import { useFieldOf } from '../item/use-field-of.ts'
import { useLive } from '../item/use-live.ts'
import { useAccount } from '../session/session-context.tsx'

const field = 'status'

/** Whether the controller of a door is offline; false for users who may not see controllers. */
export function useIsOffline(unit: string | null): boolean {
  return useFieldOf(units, { id: unit, field }) === 'offline'
}

/** Keeps the doors of offline controllers marked as such. */
export function FollowUnits() {
  const { ref } = useAccount()
  const queryClient = useQueryClient()
  useLive(units, {
    newcomers: 'stay',
    onSaved(saved) {
      for (const { _id, status } of saved) {
        const queryKey = fieldKey({ of: units, accountRef: ref, id: _id, field })
        const state = queryClient.getQueryState(queryKey)
        // A response that is on its way may have been read before this change.
        if (state?.fetchStatus === 'fetching') void queryClient.invalidateQueries({ queryKey, exact: true })
        else if (state) queryClient.setQueryData(queryKey, status)
      }
    },
  })
  return null
}
