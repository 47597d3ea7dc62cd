import type { EntityOf } from '@portcullis/contract/collection'
import { units } from '@portcullis/contract/collections/units'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldKey, leftOutKey } from '../item/keys.ts'
import { useFieldOf } from '../item/use-field-of.ts'
import { useLive } from '../item/use-live.ts'
import { useAccount } from '../session/session-context.tsx'

/** Whether the controller of a door is offline; false for users who may not see controllers. */
export function useIsOffline(unit: string | null): boolean {
  return useFieldOf(units, { id: unit, field: 'status' }) === 'offline'
}

/** Keeps the doors marked whose controllers are offline, or have no room for them. */
export function FollowUnits() {
  const { ref } = useAccount()
  const queryClient = useQueryClient()
  const [noteSaved] = useState(watchLeftOut)
  useLive(units, {
    newcomers: 'stay',
    onSaved(saved) {
      for (const unit of saved) {
        for (const field of ['status', 'capacityExceededSince'] as const) followField(unit, field)
        if (noteSaved(unit)) {
          void queryClient.invalidateQueries({ queryKey: leftOutKey({ accountRef: ref, unit: unit._id }) })
        }
      }
    },
  })
  return null

  function followField({ _id: id, ...unit }: EntityOf<typeof units>, field: 'status' | 'capacityExceededSince') {
    const queryKey = fieldKey({ of: units, accountRef: ref, id, field })
    const state = queryClient.getQueryState(queryKey)
    // A response that is on its way may have been read before this change.
    if (state?.fetchStatus === 'fetching') void queryClient.invalidateQueries({ queryKey, exact: true })
    else if (state) queryClient.setQueryData(queryKey, unit[field])
  }
}

type SavedUnit = Pick<
  EntityOf<typeof units>,
  '_id' | 'capacityExceededSince' | 'desiredVersion' | 'appliedVersion' | 'capacity' | 'configSize'
>

/**
 * Returns a function that notes a saved controller, and returns whether it may work without other items than when it
 * was noted before. A heartbeat alone changes none; without another version, an item may still be left out in addition.
 */
export function watchLeftOut() {
  const noted = new Map<string, string>()
  return ({ _id, ...unit }: SavedUnit): boolean => {
    const { capacityExceededSince, desiredVersion, appliedVersion, capacity, configSize } = unit
    const causes = JSON.stringify([capacityExceededSince, desiredVersion, appliedVersion, capacity, configSize])
    const mayLeaveOutOthers = noted.get(_id) !== causes
    noted.set(_id, causes)
    return mayLeaveOutOthers
  }
}
