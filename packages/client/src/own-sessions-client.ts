import type { confirmIdentity } from '@portcullis/contract/calls/authentication'
import { endOtherSessions, ownSessions, ownSignIns } from '@portcullis/contract/calls/own-account'
import { z } from 'zod'
import type { Http } from './http.ts'

/** Where one is signed in, and who one is. */
export function ownSessionsClient(http: Http) {
  const path = '/api/users/me/sessions'
  return {
    list() {
      return http.request({ path, answer: ownSessions.output })
    },
    end(id: string) {
      return http.request({ method: 'DELETE', path: `${path}/${encodeURIComponent(id)}`, answer: z.unknown() })
    },
    endOthers() {
      return http.request({ method: 'POST', path: `${path}/endOthers`, answer: endOtherSessions.output })
    },
    /** The last tries to sign in as oneself. */
    signIns() {
      return http.request({ path: '/api/users/me/signIns', answer: ownSignIns.output })
    },
    /** Shows once more who one is, for what needs a fresh sign-in. Throws `wrong_credentials` or `wrong_code`. */
    confirm(body: z.input<typeof confirmIdentity.input>) {
      return http.request({ method: 'POST', path: '/api/auth/confirm', body, answer: z.unknown() })
    },
  }
}
