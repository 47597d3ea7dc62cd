import type { UnitFrame } from '@portcullis/contract/unit-protocol/frames'
import type { UnitRefused } from '../ingest/refusal.ts'
import type { HelloFrame } from './hello.ts'
import type { UnitConnection } from './unit-connection.ts'

/** What a connection of a unit reports to the gateway. */
export type ConnectionEvents = {
  /** Checks an introduction as soon as the limits allow it, or refuses it. */
  onIntroduction: <T>(frame: UnitFrame, check: () => Promise<T>, isOpen: () => boolean) => Promise<T>
  /** A unit has proved its identity; throws where it is refused. */
  onArrival: (connection: UnitConnection, hello: HelloFrame) => Promise<void>
  /** The socket has closed; frames that have arrived may still wait. */
  onClosed: () => void
  /** The socket has closed, and no frame waits. */
  onGone: (connection: UnitConnection) => void
  onRefused: (refusal: UnitRefused, about: { address: string; serial: string | undefined; isProven: boolean }) => void
}
