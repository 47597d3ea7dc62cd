import { openAsGuest, readGuestAccess } from '@portcullis/contract/calls/guests'
import type { Http } from './http.ts'

/** The calls of a guest, who has no session, with the secret of a link. */
export function guestClient(http: Http, token: string) {
  return {
    /** The doors and hours; without them once the access has ended. */
    access() {
      return http.call(readGuestAccess, { body: { token }, account: null })
    },
    /** Unlocks a door once, or returns why not. */
    open(door: string) {
      return http.call(openAsGuest, { body: { token, door }, account: null })
    },
  }
}
