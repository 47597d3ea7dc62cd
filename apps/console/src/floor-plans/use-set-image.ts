import { floorPlans } from '@portcullis/contract/collections/floor-plans'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { collectionKey } from '../item/keys.ts'
import { client } from '../session/client.ts'
import { useAccount } from '../session/session-context.tsx'
import type { FloorPlan } from './use-placed.ts'

/** Stores the image of a plan at once, apart from the places; `onSet` gets the plan with its new version. */
export function useSetImage({ _id }: Pick<FloorPlan, '_id'>, onSet: (plan: FloorPlan) => void) {
  const { ref } = useAccount()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (file: File) => {
      await client.floorPlans.setImage(_id, file)
      return client.of(floorPlans).get(_id)
    },
    onSuccess: async (plan) => {
      onSet(plan)
      await queryClient.invalidateQueries({ queryKey: collectionKey(floorPlans, ref) })
    },
  })
}
