import type { ServerFrame, UnitFrame } from '@portcullis/contract/unit-protocol/frames'
import type { presentedKinds, UnitRecord } from '@portcullis/contract/unit-protocol/records'
import type { UnitCapacity } from '@portcullis/contract/unit-capacity'
import { decideOnUnit } from '@portcullis/domain/configuration/decide-on-unit'
import type { Direction } from '@portcullis/domain/policy'
import type { ReasonCode } from '@portcullis/domain/decision/reasons'
import type { ApprovalOutcome } from '@portcullis/domain/decision/access-facts'
import { Approvals } from './approvals.ts'
import { credentialKey } from './credential-key.ts'
import type { EventSender } from './event-sender.ts'
import type { DoorPace } from './simulated-door.ts'
import { ServerTrust } from './server-trust.ts'
import { UnitCommands } from './unit-commands.ts'
import { UnitConfiguration } from './unit-configuration.ts'
import { UnitDoors } from './unit-doors.ts'
import { appliedMark, UnitIntroduction } from './unit-introduction.ts'
import { type Faults, UnitLink } from './unit-link.ts'
import { UnitModes } from './unit-modes.ts'
import type { UnitStore } from './unit-store.ts'

export type Presented = {
  door: number
  kind: (typeof presentedKinds)[number]
  number: string
  direction: Direction
}
export type Verdict = { verdict: 'grant' | 'deny'; reason: ReasonCode | null }

export type RuntimeOptions = {
  url: string
  pace: DoorPace
  capacity: UnitCapacity
  faults: () => Faults
  /** Receives messages for an operator, because a unit has no screen. */
  report: (sentence: string) => void
}

/** A unit from power on to power off: decides, records, drives its doors, and speaks with the server when there is one. */
export class UnitRuntime {
  readonly doors: UnitDoors
  readonly #options: RuntimeOptions
  readonly #store: UnitStore
  readonly #sender: EventSender
  readonly #link: UnitLink
  readonly #introduction: UnitIntroduction
  readonly #approvals = new Approvals()
  readonly #trust: ServerTrust
  readonly #commands: UnitCommands
  readonly #configuration: UnitConfiguration
  readonly #modes: UnitModes
  #isOnline = false
  #heartbeat: NodeJS.Timeout | undefined
  #refusal: string | undefined
  #work: Promise<unknown> = Promise.resolve()

  constructor({ store, sender, ...options }: RuntimeOptions & { store: UnitStore; sender: EventSender }) {
    this.#options = options
    this.#store = store
    this.#sender = sender
    this.#link = new UnitLink({
      url: options.url,
      faults: options.faults,
      onFrame: (frame) => this.#receive(frame),
      onDisconnect: () => this.#onDisconnect(),
    })
    this.#introduction = new UnitIntroduction({
      store,
      capacity: options.capacity,
      now: () => this.#now(),
      send: (frame) => this.#send(frame),
    })
    this.#configuration = new UnitConfiguration({
      store,
      ...options,
      applied: () => this.#modes.obey(),
      send: (frame) => this.#link.send(frame),
    })
    this.doors = new UnitDoors({
      pace: options.pace,
      store,
      now: () => this.#now(),
      onChange: (door, what) => void this.#record({ type: 'door', ...this.#stamp(), door, what }),
    })
    this.#modes = new UnitModes({
      store,
      doors: this.doors,
      send: (frame) => this.#link.send(frame),
      changed: (door, mode) => void this.#record({ type: 'door', ...this.#stamp(), door, what: 'mode_changed', mode }),
      report: options.report,
    })
    this.#trust = new ServerTrust({ store, send: (frame) => this.#link.send(frame), report: options.report })
    this.#commands = new UnitCommands({
      store,
      doors: this.doors,
      approvals: this.#approvals,
      proved: (serverKey) => this.#enqueue(() => this.#trust.proved(serverKey)),
      nonce: () => this.#introduction.ownNonce,
      send: (frame) => this.#link.send(frame),
      unlocked: ({ id, door }) =>
        void this.#record({ type: 'door', ...this.#stamp(), door, what: 'unlocked_once', command: id }),
      report: options.report,
    })
    sender.onBatch = (batch) => this.#link.send({ type: 'events', ...batch })
  }

  start() {
    void this.#record({ type: 'unit', ...this.#stamp(), what: 'power_on' })
    this.doors.start()
    if (this.#store.identity.enrolled) this.#link.start()
  }

  /** Ends at once; the log takes care of records that are not on the disk yet. */
  stop() {
    this.#link.stop()
    this.#onDisconnect()
    this.doors.stop()
    this.#introduction.giveUp(new Error('The unit was switched off.'))
    return this.#work
  }

  /** Introduces the unit with its one-time code. Rejects with the server's reason. */
  enrol(code: string) {
    const enrolled = this.#introduction.enrol(code)
    this.#link.cut()
    this.#link.start()
    this.#link.hurry()
    return enrolled
  }

  /** Decides at once from the unit's configuration; the record is durable when the promise resolves. */
  async present(presented: Presented): Promise<Verdict> {
    const decision = this.#decide(presented)
    if (decision.reason === 'remote_approval_required') return this.#presentForApproval(presented)
    if (decision.verdict === 'grant') this.doors.unlock(presented.door)
    return this.#recordAccess(presented, decision)
  }

  /** Requests approval while the user waits. After a grant, a command has opened the door. */
  async #presentForApproval(presented: Presented) {
    if (!this.#isOnline) return this.#recordAccess(presented, unavailable)
    const { door, direction, kind, number } = presented
    const { id, settled } = this.#approvals.open((approval) => this.#decide({ ...presented, approval }))
    this.#link.send({ type: 'approvalRequest', id, door, direction, kind, number })
    return this.#recordAccess(presented, await settled)
  }

  async #recordAccess(presented: Presented, decision: Verdict) {
    await this.#record({ type: 'access', ...this.#stamp(), ...presented, ...decision })
    return decision
  }

  /** A simulated fault has changed. */
  faultsChanged() {
    if (this.#options.faults().offline) this.#link.cut()
    else this.#link.hurry()
  }

  state() {
    const { applied, highestVersion, identity } = this.#store
    return {
      unit: identity.enrolled?.unit ?? null,
      name: identity.enrolled?.name ?? null,
      model: identity.model ?? null,
      isOnline: this.#isOnline,
      appliedVersion: applied?.version ?? null,
      highestVersion,
      pendingEvents: this.#sender.size,
      refusal: this.#refusal ?? null,
      doors: this.doors.state(),
    }
  }

  #decide({ door, number, direction, approval }: Attempted): Verdict {
    const { applied, identity } = this.#store
    // Without a configuration it has no doors.
    if (!applied || !identity.enrolled) return { verdict: 'deny', reason: 'door_unknown' }
    const key = credentialKey(identity.enrolled.secret, number)
    const at = this.#now()
    const mode = this.doors.storedMode(door)
    const attempt = {
      unitDoor: door,
      credentialKey: key,
      direction,
      at,
      ...(mode ? { mode } : {}),
      ...(approval ? { approval } : {}),
    }
    const { verdict, reason } = decideOnUnit(applied.config, attempt)
    return { verdict: verdict === 'grant' ? 'grant' : 'deny', reason }
  }

  #now() {
    return Date.now() + this.#options.faults().clockOffsetMs
  }

  #stamp() {
    return { at: new Date(this.#now()).toISOString(), configVersion: this.#store.applied?.version ?? null }
  }

  #record(record: UnitRecord) {
    // A disk fault never keeps a door closed: the next record that is written reports the loss.
    return this.#sender.record(record).catch((error: Error) => this.#options.report(`not recorded: ${error.message}`))
  }

  #receive(frame: ServerFrame) {
    switch (frame.type) {
      case 'ack':
        return this.#sender.acknowledged(frame)
      case 'command':
        return this.#commands.run(frame)
      case 'approvalOutcome':
        return this.#commands.settle(frame)
      case 'heartbeatAck':
        return this.#commands.learnClock(frame)
      case 'refused':
        return this.#refused(frame)
      case 'config':
        return this.#configuration.begin(frame)
      case 'challenge':
        return this.#introduction.answer(frame.nonce)
      case 'welcome':
        return this.#welcomed(frame)
      case 'enrolled':
        return this.#enqueue(() => this.#introduction.enrolled(frame))
      case 'configChunk':
        return this.#enqueue(() => this.#configuration.add(frame))
      case 'serverKey':
        return this.#trust.receive(frame, (work) => this.#enqueue(work))
      case 'doorMode':
        return this.#enqueue(() => this.#modes.receive(frame))
    }
  }

  /** Work on the disk runs one after the other. */
  #enqueue(work: () => Promise<void>) {
    this.#work = this.#work.then(work).catch((error: Error) => {
      this.#options.report(error.message)
      this.#link.cut()
    })
  }

  /** Hello and heartbeat ask for the server's clock. */
  #send(frame: UnitFrame) {
    if (frame.type === 'hello' || frame.type === 'heartbeat') this.#commands.asksClock(frame.at)
    this.#link.send(frame)
  }

  #welcomed({ heartbeatSeconds, ...clock }: Extract<ServerFrame, { type: 'welcome' }>) {
    this.#commands.learnClock(clock)
    this.#isOnline = true
    this.#refusal = undefined
    this.#link.settled()
    this.#sender.begin()
    clearInterval(this.#heartbeat)
    const everyMs = heartbeatSeconds * 1_000
    this.#heartbeat = setInterval(() => this.#beat(everyMs), everyMs)
    this.#beat(everyMs)
  }

  #beat(everyMs: number) {
    if (performance.now() - this.#link.lastReceivedAt > 2.5 * everyMs) return this.#link.cut()
    const { at } = this.#stamp()
    this.#send({ type: 'heartbeat', at, pendingEvents: this.#sender.size, applied: appliedMark(this.#store) })
  }

  #refused({ code, message }: Extract<ServerFrame, { type: 'refused' }>) {
    this.#refusal = `${code}: ${message}`
    this.#options.report(`refused, ${this.#refusal}`)
    this.#introduction.giveUp(new Error(this.#refusal))
    if (!this.#store.identity.enrolled) this.#link.stop()
  }

  #onDisconnect() {
    this.#isOnline = false
    this.#introduction.forgetConnection()
    clearInterval(this.#heartbeat)
    this.#sender.pause()
    this.#approvals.settleAll('unavailable')
  }
}

type Attempted = Omit<Presented, 'kind'> & { approval?: ApprovalOutcome }

const unavailable: Verdict = { verdict: 'deny', reason: 'remote_unavailable' }
