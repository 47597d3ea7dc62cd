import { requestSeconds } from '@portcullis/contract/calls/remote-access'
import { tasks } from '@portcullis/contract/collections/tasks'
import type { Http } from './http.ts'

/** Asks for doors from afar, and decides about such requests. */
export function remoteAccessClient(http: Http) {
  return {
    /** Asks for a door to be unlocked once for oneself; somebody else decides within these seconds. */
    ask(door: string, { expiresAfterSeconds = requestSeconds.initial }: { expiresAfterSeconds?: number } = {}) {
      const body = { type: 'RemoteAuthRequest', door, data: { expiresAfterSeconds } }
      return http.request({ method: 'POST', path: '/api/tasks', body, answer: tasks.entitySchema })
    },
    grant(task: string) {
      return decide(task, true)
    },
    deny(task: string) {
      return decide(task, false)
    },
  }

  function decide(task: string, grant: boolean) {
    const path = `/api/tasks/${encodeURIComponent(task)}/actionRemoteAuth`
    return http.request({ method: 'POST', path, body: { grant }, answer: tasks.entitySchema })
  }
}
