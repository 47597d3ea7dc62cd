import { defineCall, manage, view } from '../call.ts'

const params = { id: 'The _id of the floor plan.' } as const

export const floorPlanImage = defineCall({
  id: 'floor-plan-image',
  method: 'GET',
  path: '/api/floorPlans/{id}/image',
  tag: 'floorPlans',
  summary: 'Get the image of a floor plan',
  description: 'With `If-None-Match` it returns 304 if the image has not changed.',
  access: 'account',
  abilities: [view('Sites')],
  params,
  download: ['image/webp'],
  returns: 'The image; its longer side has at most 4096 px.',
  errors: ['not_found'],
})

/** The largest file that can be uploaded as the image of a floor plan. */
export const maxFloorPlanImageBytes = 8 * 1024 * 1024

export const setFloorPlanImage = defineCall({
  id: 'set-floor-plan-image',
  method: 'PUT',
  path: '/api/floorPlans/{id}/image',
  tag: 'floorPlans',
  summary: 'Set the image of a floor plan',
  description:
    'Takes PNG, JPEG or WebP of at most 8 MB and 25 megapixels; the type is detected from the content. The server stores an upright copy without the metadata of the file. The placed items stay where they are, relative to the image.',
  access: 'account',
  abilities: [manage('Sites')],
  params,
  upload: ['image/png', 'image/jpeg', 'image/webp', 'application/octet-stream'],
  bodyLimit: maxFloorPlanImageBytes,
  isRecorded: true,
  returns: 'The image is stored.',
  errors: ['not_found', 'bad_request', 'too_large'],
})

export const removeFloorPlanImage = defineCall({
  id: 'remove-floor-plan-image',
  method: 'DELETE',
  path: '/api/floorPlans/{id}/image',
  tag: 'floorPlans',
  summary: 'Remove the image of a floor plan',
  access: 'account',
  abilities: [manage('Sites')],
  params,
  isRecorded: true,
  returns: 'The floor plan has no image.',
  errors: ['not_found'],
})
