import type { ServerFrame, UnitFrame } from '@portcullis/contract/unit-protocol/frames'
import type { UnitRecord } from '@portcullis/contract/unit-protocol/records'
import type { UnitCapacity } from '@portcullis/contract/unit-capacity'
import { Approvals } from './approvals.ts'
import type { EventSender } from './event-sender.ts'
import type { DoorLeaf, DoorPace } from './simulated-door.ts'
import { ServerTrust } from './server-trust.ts'
import { type Presented, UnitAccess, type Verdict } from './unit-access.ts'
import { UnitCommands } from './unit-commands.ts'
import { UnitConfiguration } from './unit-configuration.ts'
import { UnitDoors } from './unit-doors.ts'
import { InputWatch } from './unit-inputs.ts'
import { appliedMark, UnitIntroduction } from './unit-introduction.ts'
import { type Faults, type LinkOptions, UnitLink, unplugged } from './unit-link.ts'
import type { UnitMemoryFile } from './unit-memory.ts'
import { UnitModes } from './unit-modes.ts'
import type { UnitStore } from './unit-store.ts'

export type RuntimeOptions = {
  link: Pick<LinkOptions, 'url' | 'agent' | 'random'>
  pace: DoorPace
  leaves: Map<number, DoorLeaf>
  capacity: () => UnitCapacity
  faults: () => Faults
  /** How long the first of two persons waits for the second. */
  secondPersonMs?: number | undefined
  /** Receives messages for an operator, because a unit has no screen. */
  report: (sentence: string) => void
}

type UnitFiles = { store: UnitStore; sender: EventSender; memory: UnitMemoryFile }

/** A unit from power on to power off: decides, records, drives its doors, and speaks with the server when there is one. */
export class UnitRuntime {
  readonly doors: UnitDoors
  readonly #options: RuntimeOptions
  readonly #store: UnitStore
  readonly #sender: EventSender
  readonly #link: UnitLink
  readonly #introduction: UnitIntroduction
  readonly #memory: UnitMemoryFile
  readonly #approvals = new Approvals()
  readonly #access: UnitAccess
  readonly #trust: ServerTrust
  readonly #commands: UnitCommands
  readonly #configuration: UnitConfiguration
  readonly #modes: UnitModes
  readonly #inputs: InputWatch
  #isOnline = false
  #heartbeat: NodeJS.Timeout | undefined
  #work: Promise<unknown> = Promise.resolve()

  constructor({ store, sender, memory, ...options }: RuntimeOptions & UnitFiles) {
    this.#options = options
    this.#memory = memory
    this.#store = store
    this.#sender = sender
    this.#link = new UnitLink({
      ...options.link,
      faults: options.faults,
      onFrame: (frame) => this.#receive(frame),
      onDisconnect: () => this.#onDisconnect(),
      // An unplugged cable is the user's own doing.
      onFailure: (reason) => reason !== unplugged && options.report(`Not connected. ${reason}`),
    })
    this.#introduction = new UnitIntroduction({
      store,
      memory,
      capacity: options.capacity,
      now: () => this.#now(),
      send: (frame) => this.#send(frame),
    })
    this.#configuration = new UnitConfiguration({
      store,
      ...options,
      applied: () => this.#obey(),
      send: (frame) => this.#link.send(frame),
    })
    this.doors = new UnitDoors({
      isOnline: () => this.#isOnline,
      send: (frame) => this.#link.send(frame),
      pace: options.pace,
      leaves: options.leaves,
      store,
      now: () => this.#now(),
      onChange: (door, what) => {
        if (what === 'opened' && store.applied) memory.opened(door, { config: store.applied.config, at: this.#now() })
        void this.#record({ type: 'door', ...this.#stamp(), door, what })
      },
      onSchedule: (door, mode) =>
        void this.#record({ type: 'door', ...this.#stamp(), door, what: 'mode_changed', mode }),
    })
    this.#access = new UnitAccess({
      store,
      memory,
      doors: this.doors,
      approvals: this.#approvals,
      now: () => this.#now(),
      isOnline: () => this.#isOnline,
      send: (frame) => this.#link.send(frame),
      record: (record) => this.#record({ type: 'access', ...this.#stamp(), ...record }),
      secondPersonMs: options.secondPersonMs,
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
      memory,
      doors: this.doors,
      approvals: this.#approvals,
      proved: (serverKey) => this.#enqueue(() => this.#trust.proved(serverKey)),
      nonce: () => this.#introduction.ownNonce,
      send: (frame) => this.#link.send(frame),
      unlocked: ({ id, door }) =>
        void this.#record({ type: 'door', ...this.#stamp(), door, what: 'unlocked_once', command: id }),
      now: () => this.#now(),
      report: options.report,
    })
    this.#inputs = new InputWatch({
      memory,
      read: options.faults,
      record: (what) => void this.#record({ type: 'unit', ...this.#stamp(), what }),
    })
    sender.onBatch = (batch) => this.#link.send({ type: 'events', ...batch })
    memory.onRepeated = () => this.#link.cut()
  }

  start() {
    if (this.#store.applied) this.#memory.obey(this.#store.applied.config)
    void this.#record({ type: 'unit', ...this.#stamp(), what: 'power_on' })
    this.#inputs.check()
    this.doors.start()
    if (this.#store.identity.enrolled) this.#link.start()
  }

  /** Ends at once; the log takes care of records that are not on the disk yet. */
  stop() {
    this.#link.stop()
    this.#onDisconnect()
    this.doors.stop()
    this.#access.stop()
    this.#introduction.giveUp(new Error('The unit was switched off.'))
    return this.#work
  }

  /** Introduces the unit with its one-time code. Rejects with the server's reason, or that of `giveUpEnrolment`. */
  enrol(code: string) {
    const enrolled = this.#introduction.enrol(code)
    this.#link.cut()
    this.#link.start()
    this.#link.hurry()
    return enrolled
  }

  giveUpEnrolment(reason: string) {
    this.#introduction.giveUp(new Error(reason))
    if (!this.#store.identity.enrolled) this.#link.stop()
  }

  /** Decides at once from the unit's configuration; the record is durable when the promise resolves. */
  present(presented: Presented): Promise<Verdict> {
    return this.#access.present(presented)
  }

  /** A simulated fault has changed. */
  faultsChanged() {
    if (this.#inputs.check() && this.#isOnline) this.#sendHeartbeat()
    if (this.#options.faults().offline || this.#introduction.hasOtherCapacity()) this.#link.cut()
    else this.#link.hurry()
  }

  state() {
    const { applied, highestVersion, identity } = this.#store
    return {
      unit: identity.enrolled?.unit ?? null,
      name: identity.enrolled?.name ?? null,
      model: identity.model ?? null,
      isOnline: this.#isOnline,
      connections: this.#link.welcomes,
      appliedVersion: applied?.version ?? null,
      highestVersion,
      pendingEvents: this.#sender.size,
      blocked: this.#memory.blocked,
      offlineReason: this.#link.failure ?? null,
      doors: this.doors.state(),
    }
  }

  /** Another configuration applies. */
  #obey() {
    if (this.#store.applied) this.#memory.obey(this.#store.applied.config)
    this.#modes.obey()
    this.doors.shareInterlocks()
  }

  #now() {
    return Date.now() + this.#options.faults().clockOffsetMs
  }

  #stamp() {
    return { at: new Date(this.#now()).toISOString(), configVersion: this.#store.applied?.version ?? null }
  }

  #record(record: UnitRecord) {
    // A disk fault never keeps a door closed: the next record that is written reports the loss.
    return this.#sender.record(record).catch((error: Error) => this.#options.report(`event lost: ${error.message}`))
  }

  #receive(frame: ServerFrame) {
    switch (frame.type) {
      case 'ack':
        return this.#sender.acknowledged(frame)
      case 'command':
      case 'approvalOutcome':
      case 'passages':
      case 'blocklist':
      case 'interlockAnswer':
      case 'heartbeatAck':
        return this.#commands.receive(frame)
      case 'heartbeatRequest':
        return this.#sendHeartbeat({ request: frame.id })
      case 'refused':
        return this.#refused(`Refused, ${frame.code}: ${frame.message}`)
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
      this.#link.cutForLong()
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
    this.#link.settled()
    this.#sender.begin()
    clearInterval(this.#heartbeat)
    const everyMs = heartbeatSeconds * 1_000
    this.#heartbeat = setInterval(() => this.#beat(everyMs), everyMs)
    this.#beat(everyMs)
  }

  #beat(everyMs: number) {
    if (performance.now() - this.#link.lastReceivedAt > 2.5 * everyMs)
      return this.#link.cut('The server no longer answers.')
    this.#sendHeartbeat()
  }

  #sendHeartbeat(answer: { request?: string } = {}) {
    const [{ at }, applied] = [this.#stamp(), appliedMark(this.#store)]
    this.doors.shareInterlocks()
    this.#send({ type: 'heartbeat', at, pendingEvents: this.#sender.size, applied, ...this.#memory.inputs, ...answer })
  }

  #refused(reason: string) {
    this.#link.refused(reason)
    this.giveUpEnrolment(reason)
  }

  #onDisconnect() {
    this.#isOnline = false
    this.#introduction.forgetConnection()
    clearInterval(this.#heartbeat)
    this.#sender.pause()
    this.#approvals.settleAll('unavailable')
    this.doors.interlocks.disconnected()
  }
}
