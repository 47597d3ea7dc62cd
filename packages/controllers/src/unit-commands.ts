import type { ServerFrame, UnitFrame } from '@portcullis/contract/unit-protocol/frames'
import {
  approvalOutcomeText,
  blocklistText,
  clockText,
  doorCommandText,
  interlockText,
  passagesText,
} from '@portcullis/contract/unit-protocol/signed-texts'
import type { InterlockOutcome } from '@portcullis/domain/decision/access-facts'
import type { ReasonCode } from '@portcullis/domain/decision/reasons'
import type { Approvals } from './approvals.ts'
import { type CommandFrame, CommandGate } from './command-gate.ts'
import { signerOf } from './keys.ts'
import type { UnitDoors } from './unit-doors.ts'
import type { UnitMemoryFile } from './unit-memory.ts'
import { trustedKeys, type UnitStore } from './unit-store.ts'

type OutcomeFrame = Extract<ServerFrame, { type: 'approvalOutcome' }>
type PassagesFrame = Extract<ServerFrame, { type: 'passages' }>
type BlocklistFrame = Extract<ServerFrame, { type: 'blocklist' }>
type InterlockFrame = Extract<ServerFrame, { type: 'interlockAnswer' }>
type SignedFrame =
  | CommandFrame
  | OutcomeFrame
  | PassagesFrame
  | BlocklistFrame
  | InterlockFrame
  | Extract<ServerFrame, { type: 'heartbeatAck' }>
type CommandAnswer = Omit<Extract<UnitFrame, { type: 'commandResult' }>, 'type' | 'id'>

type Options = {
  store: UnitStore
  memory: Pick<UnitMemoryFile, 'learn' | 'block'>
  doors: UnitDoors
  approvals: Approvals
  /** The nonce of this connection's hello; undefined before it. */
  nonce: () => string | undefined
  /** This key has signed a time for this connection: its owner is the server now. */
  proved: (serverKey: string) => void
  send: (frame: UnitFrame) => void
  /** A command has opened the door. */
  unlocked: (command: CommandFrame) => void
  /** The unit's own clock, in epoch milliseconds. */
  now: () => number
  report: (sentence: string) => void
}

/** The measured clock is wrong by at most half of this, also where the connection holds the answer back. */
const slowestAnswerMs = 10_000

/**
 * Carries out the frames that the server has signed for this unit and this connection: commands, outcomes of requests, its
 * clock.
 */
export class UnitCommands {
  readonly #options: Options
  readonly #gate = new CommandGate()
  /** The last question for the server's clock: a hello or a heartbeat. */
  #question: { at: string; sentAt: number } | undefined

  constructor(options: Options) {
    this.#options = options
  }

  /** The unit sends a hello or a heartbeat with this time. */
  asksClock(at: string) {
    this.#question = { at, sentAt: performance.now() }
  }

  /** Reads the server's clock from the answer to the last question; late and forged answers change nothing. */
  learnClock({ at, signature }: { at: string; signature: string }) {
    const question = this.#question
    const receivedAt = performance.now()
    if (!question || receivedAt - question.sentAt > slowestAnswerMs) return
    const signer = this.#signer(signature, (connection) => clockText({ ...connection, requestedAt: question.at, at }))
    if (!signer) return this.#options.report('ignored a time of the server: it is not signed for this connection')
    this.#gate.measure({ sentAt: question.sentAt, receivedAt, serverAt: Date.parse(at) })
    this.#options.proved(signer)
  }

  receive(frame: SignedFrame) {
    switch (frame.type) {
      case 'command':
        return this.#run(frame)
      case 'approvalOutcome':
        return this.#settle(frame)
      case 'passages':
        return this.#learnPassages(frame)
      case 'blocklist':
        return this.#learnBlocklist(frame)
      case 'interlockAnswer':
        return this.#learnInterlock(frame)
      case 'heartbeatAck':
        return this.learnClock(frame)
    }
  }

  #run(command: CommandFrame) {
    const { id, doorSignature } = command
    const answer = (result: CommandAnswer) => this.#options.send({ type: 'commandResult', id, ...result })
    // Before the gate: a forged command must not use up the id of a genuine one.
    if (!this.#signer(doorSignature, (connection) => doorCommandText({ ...connection, ...command }))) {
      this.#options.report(`refused the command ${id}: it is not signed for this connection`)
      return answer({ outcome: 'refused', detail: 'not_signed' })
    }
    const admitted = this.#gate.admit(command, performance.now())
    switch (admitted) {
      case 'repeated':
        return
      case 'clock_unknown':
        return answer({ outcome: 'refused', detail: admitted })
      case 'expired':
        return answer({ outcome: 'expired' })
      case 'run':
        return this.#claim(command, (outcome) => answer(this.#unlockOnce(command, outcome)))
    }
  }

  /** The server is not asked about a door that opens in no case: its answer reserves the interlock. */
  #claim(command: CommandFrame, unlock: (outcome: InterlockOutcome) => void) {
    const { doors } = this.#options
    const isObstructed = doors.isRewired(command) || doors.obstacleAt(command.door) !== undefined
    if (isObstructed) return unlock('not_asked')
    void doors.interlocks.ask(command.door, unlock)
  }

  /** Ends a request that was not granted. If the signature is not the server's, the user continues to wait. */
  #settle({ id, outcome, signature }: OutcomeFrame) {
    const { approvals, report } = this.#options
    if (this.#signer(signature, (connection) => approvalOutcomeText({ ...connection, id, outcome }))) {
      approvals.settle(id, outcome)
    } else {
      report(`ignored the outcome of request ${id}: it is not signed for this connection`)
    }
  }

  /** Whether a door that shares an interlock may be released. Without the server's signature the door stays locked. */
  #learnInterlock({ id, outcome, signature }: InterlockFrame) {
    const { doors, report } = this.#options
    if (!this.#signer(signature, (connection) => interlockText({ ...connection, id, outcome })))
      return report(`ignored the answer ${id} about an interlock: it is not signed for this connection`)
    doors.interlocks.answered({ id, outcome })
  }

  /** Passages at other units. Without the server's clock, the two clocks are taken to be equal. */
  #learnPassages({ passages, upTo, signature }: PassagesFrame) {
    const { memory, store, now, report } = this.#options
    if (!this.#signer(signature, (connection) => passagesText({ ...connection, passages, upTo })))
      return report('ignored passages at other units: they are not signed for this connection')
    const { serverAhead } = this.#gate
    const clockAheadMs = serverAhead === undefined ? 0 : now() - (performance.now() + serverAhead)
    memory.learn({ passages, upTo, clockAheadMs }, store.applied?.config ?? {})
  }

  /** Blocks credentials before a configuration without them arrives. */
  #learnBlocklist({ block, unblock, signature }: BlocklistFrame) {
    const { memory, report } = this.#options
    if (!this.#signer(signature, (connection) => blocklistText({ ...connection, block, unblock })))
      return report('ignored a list of blocked credentials: it is not signed for this connection')
    memory.block({ block, unblock })
  }

  #unlockOnce(command: CommandFrame, sharedInterlock: InterlockOutcome): CommandAnswer {
    const { doors, unlocked, approvals } = this.#options
    const isLate = this.#gate.isLate(command, performance.now())
    const isOver = isLate || doors.isRewired(command)
    if (isOver && command.request !== undefined) approvals.settle(command.request, 'unavailable')
    if (isOver) return isLate ? { outcome: 'expired' } : { outcome: 'refused', detail: 'door_rewired' }
    const obstacle =
      this.#obstacleToApproval(command, sharedInterlock) ?? doors.obstacleAt(command.door, sharedInterlock)
    if (obstacle) return { outcome: 'refused', detail: obstacle }
    doors.unlock(command.door)
    unlocked(command)
    return { outcome: 'done' }
  }

  /**
   * The unit decides again for a user after an operator has approved the request. If the user has left, no door opens.
   */
  #obstacleToApproval({ request }: CommandFrame, sharedInterlock: InterlockOutcome): ReasonCode | undefined {
    if (request === undefined) return undefined
    const decision = this.#options.approvals.settle(request, 'granted', sharedInterlock)
    if (!decision) return 'remote_unavailable'
    return decision.verdict === 'grant' ? undefined : (decision.reason ?? 'remote_unavailable')
  }

  /** Returns the trusted key of the server that has signed this text. */
  #signer(signature: string, textFor: (connection: { unit: string; nonce: string }) => string) {
    const { enrolled } = this.#options.store.identity
    const nonce = this.#options.nonce()
    if (!enrolled || nonce === undefined) return undefined
    return signerOf({ publicKeys: trustedKeys(enrolled), text: textFor({ unit: enrolled.unit, nonce }), signature })
  }
}
