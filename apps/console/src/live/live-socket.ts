import { Live } from '@portcullis/client/live'
import { whenSessionEnds } from '../session/session-end.ts'

let live: Live | undefined

/** The one real-time socket of the session, opened when it is first needed and closed with the session. */
export function liveSocket(appVersion: string): Live {
  live ??= new Live({ baseUrl: '', appVersion })
  return live
}

whenSessionEnds(() => {
  live?.close()
  live = undefined
})
