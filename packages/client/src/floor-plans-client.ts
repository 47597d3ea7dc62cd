import { floorPlanImage, removeFloorPlanImage, setFloorPlanImage } from '@portcullis/contract/calls/floor-plans'
import type { Http } from './http.ts'

/** The images of floor plans; all else is in `client.of(floorPlans)`. */
export function floorPlansClient(http: Http) {
  return {
    /** Throws `not_found` if the plan has no image. */
    async image(plan: string, options: { signal?: AbortSignal } = {}) {
      const { response } = await http.downloadCall(floorPlanImage, { path: { id: plan }, ...options })
      return response.blob()
    },
    setImage(plan: string, file: Blob) {
      return http.call(setFloorPlanImage, { path: { id: plan }, file })
    },
    removeImage(plan: string) {
      return http.call(removeFloorPlanImage, { path: { id: plan } })
    },
  }
}
