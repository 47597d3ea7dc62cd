import { actionRemoteAuth, askAtDoor, requestSeconds } from '@portcullis/contract/calls/remote-access'
import type { Http } from './http.ts'

/** Requests for remote access at doors, and decisions about them. */
export function remoteAccessClient(http: Http) {
  return {
    /** Requests remote access at a door for the current user; another user decides within these seconds. */
    ask(door: string, { expiresAfterSeconds = requestSeconds.initial }: { expiresAfterSeconds?: number } = {}) {
      return http.call(askAtDoor, { body: { type: 'RemoteAuthRequest', door, data: { expiresAfterSeconds } } })
    },
    grant(task: string) {
      return http.call(actionRemoteAuth, { path: { id: task }, body: { grant: true } })
    },
    deny(task: string) {
      return http.call(actionRemoteAuth, { path: { id: task }, body: { grant: false } })
    },
  }
}
