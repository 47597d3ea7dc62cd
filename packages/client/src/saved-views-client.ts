import type { BodyOf } from '@portcullis/contract/call'
import {
  createSavedView,
  deleteSavedView,
  patchSavedView,
  rememberColumns,
  savedViews,
} from '@portcullis/contract/calls/saved-views'
import type { Http } from './http.ts'

/** Saved views of lists, private or shared, and the columns that the user chose last. */
export function savedViewsClient(http: Http) {
  return {
    list(list: string, options: { signal?: AbortSignal } = {}) {
      return http.call(savedViews, { query: { list }, ...options })
    },
    create(body: BodyOf<typeof createSavedView>) {
      return http.call(createSavedView, { body })
    },
    patch(id: string, body: BodyOf<typeof patchSavedView>) {
      return http.call(patchSavedView, { path: { id }, body })
    },
    remove(id: string) {
      return http.call(deleteSavedView, { path: { id } })
    },
    rememberColumns(body: BodyOf<typeof rememberColumns>) {
      return http.call(rememberColumns, { body })
    },
  }
}
