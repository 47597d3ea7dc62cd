import { type BodyOf, pathOf } from '@portcullis/contract/call'
import { createCards, replaceCredential } from '@portcullis/contract/calls/cards'
import type { Http } from './http.ts'

/** Many cards at once, and replacements of lost ones. */
export function cardsClient(http: Http) {
  return {
    /** Creates unassigned cards; those that are already there are returned. */
    createRange(body: BodyOf<typeof createCards>) {
      const { method, path } = createCards
      return http.request({ method, path, body, answer: createCards.output })
    },
    /** Ends a lost or stolen credential, and gives its user another one. */
    replace(id: string, body: BodyOf<typeof replaceCredential>) {
      const { method } = replaceCredential
      return http.request({ method, path: pathOf(replaceCredential, { id }), body, answer: replaceCredential.output })
    },
  }
}
