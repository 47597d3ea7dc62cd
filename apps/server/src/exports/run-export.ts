import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyInstance } from 'fastify'
import type { Access } from '../abilities/access.ts'
import { FairTurns } from '../limits/fair-turns.ts'
import { Turns } from '../limits/turns.ts'

/** Each export of a list holds a database connection until its client has read the file. */
const maxExports = 8
/** A customer may have several accounts in a tree. */
const maxOfTree = 6
const maxOfAccount = 4
const maxOfUser = 2
/** An export takes longer than a request. */
const retryAfterSeconds = 10
/**
 * An export is aborted when its client is this far behind the least rate, so that it does not keep others waiting. A client
 * that was faster before gains no more time than this.
 */
const patienceMs = 25_000
const leastBytesPerMs = 16

type Chunks = AsyncIterable<string | Uint8Array>

type Run = {
  access: Pick<Access, 'demandUnchanged'> & {
    person: Pick<Access['person'], '_id'>
    account: Pick<Access['account'], 'key' | 'root'>
  }
  /** Sends the file. What fails before is an error response. */
  work: (send: (chunks: Chunks) => Promise<void>) => Promise<void>
  /** Stores the trace of a file that was sent in part. */
  breakOff: () => Promise<void>
}

export type RunExport = ReturnType<typeof makeRunExport>

/** Runs exports of all kinds, each in its turn: of a user at most 2, of an account 4, of a tree of accounts 6, and in all 8, the others wait. */
export function makeRunExport(app: FastifyInstance, { patience = patienceMs, bytesPerMs = leastBytesPerMs } = {}) {
  const turnsOfUser = new Turns({ most: maxOfUser, waiting: 0, retryAfterSeconds })
  const turnsOfTree = new Turns({ most: maxOfTree, waiting: 0, retryAfterSeconds })
  const turns = new FairTurns({ most: maxExports, ofKey: maxOfAccount })
  const underway = new Set<Promise<void>>()
  app.addHook('onClose', async () => {
    await Promise.all(underway)
  })

  /** Returns the file once it begins. */
  return async function runExport({ access: { person, account, demandUnchanged }, work, breakOff }: Run) {
    const file = new PassThrough()
    // The response reports errors that occur before the file is read.
    file.on('error', () => {})
    const begun = Promise.withResolvers<void>()
    let hasBegun = false
    const send = async (chunks: Chunks) => {
      hasBegun = true
      begun.resolve()
      await pipeline(paced({ patience, bytesPerMs, chunks, file }), file)
    }
    // Before anything is sent, a failure is an error response; afterwards the connection breaks, so that a partial file
    // does not look complete.
    // A user may have lost a right while the export waited for its turn.
    const workInTurn = async () => {
      await demandUnchanged?.()
      await work(send)
    }
    const runForTree = () =>
      turnsOfTree.take(`${account.root}`, () => turns.take({ key: `${account.key}` }, workInTurn))
    const done = turnsOfUser
      .take(person._id, runForTree)
      .catch(async (error: Error) => {
        begun.reject(error)
        file.destroy(error)
        if (hasBegun) await breakOff()
      })
      .catch((error: unknown) => app.log.error({ err: error }, 'export was not audited'))
      .finally(() => underway.delete(done))
    underway.add(done)
    await begun.promise
    return file
  }
}

type Paced = { patience: number; bytesPerMs: number; chunks: Chunks; file: PassThrough }

/** Aborts the file when its client reads too slowly. Only the time counts in which a part waits for the client. */
async function* paced({ patience, bytesPerMs, chunks, file }: Paced) {
  const giveUp = () => file.destroy(new Error('The client read the export too slowly.'))
  let left = patience
  for await (const chunk of chunks) {
    left += Buffer.byteLength(chunk) / bytesPerMs
    const since = performance.now()
    const timer = setTimeout(giveUp, left)
    try {
      yield chunk
    } finally {
      clearTimeout(timer)
    }
    left = Math.min(patience, left - (performance.now() - since))
  }
  const timer = setTimeout(giveUp, left)
  file.once('finish', () => clearTimeout(timer)).once('close', () => clearTimeout(timer))
}
