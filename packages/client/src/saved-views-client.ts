import {
  type createSavedView,
  type patchSavedView,
  type rememberColumns,
  savedView,
  savedViews,
} from '@portcullis/contract/calls/saved-views'
import { z } from 'zod'
import type { Http } from './http.ts'

/** Lists as people keep them: under a name, for themselves or shared, and the columns that they last chose. */
export function savedViewsClient(http: Http) {
  const path = '/api/savedViews'
  return {
    list(list: string, options: { signal?: AbortSignal } = {}) {
      return http.request({ path, query: { list }, answer: savedViews.output, ...options })
    },
    create(view: z.input<typeof createSavedView>) {
      return http.request({ method: 'POST', path, body: view, answer: savedView })
    },
    patch(id: string, changes: z.input<typeof patchSavedView>) {
      return http.request({ method: 'PATCH', path: `${path}/${id}`, body: changes, answer: savedView })
    },
    remove(id: string) {
      return http.request({ method: 'DELETE', path: `${path}/${id}`, answer: z.unknown() })
    },
    rememberColumns(remembered: z.input<typeof rememberColumns>) {
      return http.request({ method: 'PUT', path: `${path}/columns`, body: remembered, answer: z.unknown() })
    },
  }
}
