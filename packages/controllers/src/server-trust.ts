import type { ServerFrame, UnitFrame } from '@portcullis/contract/unit-protocol/frames'
import { serverKeyText } from '@portcullis/contract/unit-protocol/signed-texts'
import { signerOf } from './keys.ts'
import { trustedKeys, type UnitStore } from './unit-store.ts'

type ServerKeyFrame = Extract<ServerFrame, { type: 'serverKey' }>

type Options = { store: UnitStore; send: (frame: UnitFrame) => void; report: (sentence: string) => void }

/** The server's keys that the unit trusts: the key of its enrolment, and keys that a trusted key has announced. */
export class ServerTrust {
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
  }

  /** Accepts a key that a trusted one has signed. It is trusted at once; `enqueue` does the work on the disk. */
  receive({ serverKey, at, signature }: ServerKeyFrame, enqueue: (work: () => Promise<void>) => void) {
    const { store, send, report } = this.#options
    const { enrolled } = store.identity
    if (!enrolled) return
    const confirm = () => send({ type: 'serverKeyKept', serverKey })
    if (serverKey === enrolled.serverKey) return enqueue(async () => confirm())
    const text = serverKeyText({ unit: enrolled.unit, serverKey, at })
    const signer = signerOf({ publicKeys: trustedKeys(enrolled), text, signature })
    if (!signer) return report('ignored a new key of the server: no trusted key has signed it')
    store.trust({ serverKey, earlierServerKey: signer })
    enqueue(async () => {
      await store.keepIdentity()
      confirm()
    })
  }

  /** The new key has signed for this connection, so the earlier one is no longer needed. */
  async proved(serverKey: string) {
    const { store } = this.#options
    const { enrolled } = store.identity
    if (enrolled?.earlierServerKey === undefined || enrolled.serverKey !== serverKey) return
    store.trust({ serverKey, earlierServerKey: undefined })
    await store.keepIdentity()
  }
}
