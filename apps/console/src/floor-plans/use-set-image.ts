import { ApiError } from '@portcullis/client/api-error'
import { maxFloorPlanImageBytes } from '@portcullis/contract/calls/floor-plans'
import { floorPlans } from '@portcullis/contract/collections/floor-plans'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { collectionKey } from '../item/keys.ts'
import { client } from '../session/client.ts'
import { useAccount } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { messageOf } from '../ui/list-notice.tsx'
import type { FloorPlan } from './use-placed.ts'

/** The types of images that the server accepts. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/webp']

class UnusableFile extends Error {}

/** Stores the image of a plan at once, apart from the places; `onSet` gets the plan with its new version. */
export function useSetImage({ _id }: Pick<FloorPlan, '_id'>, onSet: (plan: FloorPlan) => void) {
  const { ref } = useAccount()
  const queryClient = useQueryClient()
  const image = useMutation({
    mutationFn: async (file: File) => {
      if (!imageTypes.includes(file.type) || file.size > maxFloorPlanImageBytes) throw new UnusableFile()
      await client.floorPlans.setImage(_id, file)
      return client.of(floorPlans).get(_id)
    },
    onSuccess: async (plan) => {
      onSet(plan)
      await queryClient.invalidateQueries({ queryKey: collectionKey(floorPlans, ref) })
    },
  })
  return { ...image, failure: image.error ? failureText(image.error) : '' }
}

function failureText(error: Error) {
  const isUnusable =
    error instanceof UnusableFile ||
    (error instanceof ApiError && (error.code === 'too_large' || 'image' in error.fieldErrors))
  return isUnusable ? text('floorPlans.unusableImage') : messageOf(error)
}
