import type { ServerFrame, UnitFrame } from '@portcullis/contract/unit-protocol/frames'
import type { presentedKinds, UnitRecord } from '@portcullis/contract/unit-protocol/records'
import { enrolText, helloText } from '@portcullis/contract/unit-protocol/signed-texts'
import type { UnitCapacity } from '@portcullis/contract/unit-capacity'
import { decideOnUnit } from '@portcullis/domain/configuration/decide-on-unit'
import { modeAt } from '@portcullis/domain/decision/door-mode'
import type { Direction } from '@portcullis/domain/policy'
import type { ReasonCode } from '@portcullis/domain/decision/reasons'
import type { ApprovalOutcome } from '@portcullis/domain/decision/access-facts'
import { Approvals } from './approvals.ts'
import { type CommandFrame, CommandGate } from './command-gate.ts'
import { type ChunkFrame, ConfigReceiver, type Received } from './config-receiver.ts'
import { credentialKey } from './credential-key.ts'
import { type DoorModeFrame, keptModeAt, receiveDoorMode } from './door-modes.ts'
import type { EventSender } from './event-sender.ts'
import { signText } from './keys.ts'
import { lacksRoom } from './lacks-room.ts'
import { type DoorPace, SimulatedDoor } from './simulated-door.ts'
import { type Faults, UnitLink } from './unit-link.ts'
import type { UnitStore } from './unit-store.ts'

export type Presented = {
  door: number
  kind: (typeof presentedKinds)[number]
  number: string
  direction: Direction
}
export type Verdict = { verdict: 'grant' | 'deny'; reason: ReasonCode | null }
export type DoorSwitch = 'forced' | 'held' | 'closed' | 'exit'

export type RuntimeOptions = {
  url: string
  pace: DoorPace
  capacity: UnitCapacity
  faults: () => Faults
  /** Hears what a unit has no screen to show. */
  report: (sentence: string) => void
}

/** A unit from power on to power off: decides, records, drives its doors, and speaks with the server when there is one. */
export class UnitRuntime {
  readonly #options: RuntimeOptions
  readonly #store: UnitStore
  readonly #sender: EventSender
  readonly #link: UnitLink
  readonly #gate = new CommandGate()
  readonly #approvals = new Approvals()
  readonly #receiver = new ConfigReceiver()
  readonly #doors = new Map<number, SimulatedDoor>()
  readonly #modeEnds = new Map<number, NodeJS.Timeout>()
  #enrolment: { code: string; resolve: () => void; reject: (error: Error) => void } | undefined
  #nonce = ''
  #isOnline = false
  #heartbeat: NodeJS.Timeout | undefined
  #heartbeatSentAt = 0
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
      onDown: () => this.#wentDown(),
    })
    sender.onBatch = (batch) => this.#link.send({ type: 'events', ...batch })
  }

  start() {
    void this.#record({ type: 'unit', ...this.#stamp(), what: 'power_on' })
    for (const number of Object.keys(this.#store.doorModes)) this.#obeyMode(Number(number))
    if (this.#store.identity.enrolled) this.#link.start()
  }

  /** Ends at once; what is not on the disk yet is the log's concern. */
  stop() {
    this.#link.stop()
    this.#wentDown()
    for (const door of this.#doors.values()) door.stop()
    for (const timer of this.#modeEnds.values()) clearTimeout(timer)
    this.#enrolment?.reject(new Error('The unit was switched off.'))
    this.#enrolment = undefined
    return this.#work
  }

  /** Introduces the unit with its one-time code. Rejects with the server's reason. */
  enrol(code: string) {
    return new Promise<void>((resolve, reject) => {
      this.#enrolment = { code, resolve, reject }
      this.#link.cut()
      this.#link.start()
      this.#link.hurry()
    })
  }

  /** Decides at once, from what the unit knows; the record is durable when the promise resolves. */
  async present(presented: Presented): Promise<Verdict> {
    const { door } = presented
    const decision = this.#decide(presented)
    if (decision.reason === 'remote_approval_required') return this.#presentForApproval(presented)
    if (decision.verdict === 'grant') this.#door(door).unlock(this.#settingsOf(door))
    return this.#recordAccess(presented, decision)
  }

  /** An operator is asked, and the person waits. Granted, it was the command that opened the door. */
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

  operate({ door, what }: { door: number; what: DoorSwitch }) {
    const simulated = this.#door(door)
    switch (what) {
      case 'forced':
        return simulated.force()
      case 'held':
        return simulated.holdOpen(this.#settingsOf(door))
      case 'closed':
        return simulated.close()
      case 'exit':
        return simulated.requestExit(this.#settingsOf(door))
    }
  }

  /** The surroundings have changed. */
  faultsChanged() {
    if (this.#options.faults().offline) this.#link.cut()
    else this.#link.hurry()
  }

  state() {
    const { applied, highestVersion, identity } = this.#store
    const numbers = new Set([...Object.keys(applied?.config.doors ?? {}).map(Number), ...this.#doors.keys()])
    return {
      unit: identity.enrolled?.unit ?? null,
      name: identity.enrolled?.name ?? null,
      model: identity.model ?? null,
      isOnline: this.#isOnline,
      appliedVersion: applied?.version ?? null,
      highestVersion,
      pendingEvents: this.#sender.size,
      refusal: this.#refusal ?? null,
      doors: [...numbers].map((number) => ({
        number,
        position: this.#doors.get(number)?.position ?? 'closed',
        lock: this.#doors.get(number)?.lock ?? 'locked',
      })),
    }
  }

  #decide({ door, number, direction, approval }: Attempted): Verdict {
    const { applied, identity } = this.#store
    // Without a configuration it has no doors.
    if (!applied || !identity.enrolled) return { verdict: 'deny', reason: 'door_unknown' }
    const key = credentialKey(identity.enrolled.secret, number)
    const at = this.#now()
    const mode = keptModeAt(this.#store.doorModes, { door, at })
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

  #door(number: number) {
    const known = this.#doors.get(number)
    if (known) return known
    const door = new SimulatedDoor({
      pace: this.#options.pace,
      happened: (what) => void this.#record({ type: 'door', ...this.#stamp(), door: number, what }),
    })
    this.#doors.set(number, door)
    return door
  }

  #settingsOf(number: number) {
    return this.#store.applied?.config.doors[number] ?? { relockAfterSeconds: 5, heldOpenAfterSeconds: 30 }
  }

  #record(record: UnitRecord) {
    // A door is never kept shut by a disk: the loss is told by the next record that is written.
    return this.#sender.record(record).catch((error: Error) => this.#options.report(`not recorded: ${error.message}`))
  }

  #receive(frame: ServerFrame) {
    switch (frame.type) {
      case 'ack':
        return this.#sender.acknowledged(frame)
      case 'command':
        return this.#run(frame)
      case 'approvalOutcome':
        return this.#approvals.settle(frame.id, frame.outcome)
      case 'heartbeatAck':
        return this.#gate.measure({
          sentAt: this.#heartbeatSentAt,
          receivedAt: performance.now(),
          serverAt: Date.parse(frame.at),
        })
      case 'refused':
        return this.#refused(frame)
      case 'config':
        return this.#receiver.begin(frame)
      case 'challenge':
        return this.#introduce(frame.nonce)
      case 'welcome':
        return this.#welcomed(frame)
      case 'enrolled':
        return this.#inTurn(() => this.#enrolled(frame))
      case 'configChunk':
        return this.#inTurn(() => this.#configure(frame))
      case 'doorMode':
        return this.#inTurn(() => this.#keepMode(frame))
    }
  }

  /** What touches the disk is done one after the other. */
  #inTurn(work: () => Promise<void>) {
    this.#work = this.#work.then(work).catch((error: Error) => {
      this.#options.report(error.message)
      this.#link.cut()
    })
  }

  #introduce(nonce: string) {
    this.#nonce = nonce
    const { serial, model, publicKey, privateKey, enrolled } = this.#store.identity
    const code = this.#enrolment?.code
    if (code !== undefined) {
      const signature = signText(privateKey, enrolText({ nonce, code, serial }))
      return this.#link.send({ type: 'enrol', code, serial, model, firmware, publicKey, signature })
    }
    if (enrolled) this.#hello(enrolled.unit)
  }

  #hello(unit: string) {
    const { identity, highestVersion } = this.#store
    const signature = signText(identity.privateKey, helloText({ nonce: this.#nonce, unit }))
    const { at } = this.#stamp()
    this.#link.send({
      type: 'hello',
      unit,
      serial: identity.serial,
      firmware,
      signature,
      applied: this.#appliedMark(),
      highestVersion,
      capacity: this.#options.capacity,
      at,
    })
  }

  async #enrolled({ unit, name, serverKey, secret }: Extract<ServerFrame, { type: 'enrolled' }>) {
    await this.#store.saveEnrolment({ unit, name, serverKey, secret })
    this.#enrolment?.resolve()
    this.#enrolment = undefined
    this.#hello(unit)
  }

  #welcomed({ heartbeatSeconds, at }: Extract<ServerFrame, { type: 'welcome' }>) {
    const now = performance.now()
    this.#gate.measure({ sentAt: now, receivedAt: now, serverAt: Date.parse(at) })
    this.#isOnline = true
    this.#refusal = undefined
    this.#link.settled()
    this.#sender.begin()
    clearInterval(this.#heartbeat)
    this.#heartbeat = setInterval(() => this.#beat(heartbeatSeconds * 1_000), heartbeatSeconds * 1_000)
    this.#beat(heartbeatSeconds * 1_000)
  }

  #beat(everyMs: number) {
    const now = performance.now()
    if (now - this.#link.lastHeard > 2.5 * everyMs) return this.#link.cut()
    this.#heartbeatSentAt = now
    const { at } = this.#stamp()
    this.#link.send({ type: 'heartbeat', at, pendingEvents: this.#sender.size, applied: this.#appliedMark() })
  }

  #appliedMark() {
    const { applied } = this.#store
    return applied ? { version: applied.version, hash: applied.hash } : null
  }

  async #configure(chunk: ChunkFrame) {
    const { identity, highestVersion, applied } = this.#store
    const { memory } = this.#options.faults()
    if (!identity.enrolled || memory === 'stuck') return
    const received = this.#receiver.add(chunk, { ...identity.enrolled, highestVersion, applied })
    switch (received.outcome) {
      case 'more':
        return
      case 'rejected':
        return this.#link.send({ type: 'configRejected', version: received.version, reason: received.reason })
      case 'accepted':
        return this.#keep(received)
      case 'inForce':
        return this.#confirmApplied()
    }
  }

  async #keep({ applied, bytes }: Extract<Received, { outcome: 'accepted' }>) {
    const isFull = this.#options.faults().memory === 'full'
    const reason = isFull
      ? `there is no room for its ${bytes.length} bytes`
      : lacksRoom(applied.config, this.#options.capacity)
    if (reason) return this.#link.send({ type: 'configRejected', version: applied.version, reason })
    await this.#store.apply({ ...applied, bytes })
    this.#confirmApplied()
  }

  async #keepMode(frame: DoorModeFrame) {
    const { identity, doorModes } = this.#store
    if (!identity.enrolled) return
    const received = receiveDoorMode({ frame, modes: doorModes, ...identity.enrolled })
    if (received.outcome === 'refused') return this.#options.report(`refused, ${received.reason}`)
    if (received.outcome === 'kept') {
      await this.#store.keepDoorModes(received.modes)
      const { door, mode } = frame
      this.#obeyMode(door)
      void this.#record({ type: 'door', ...this.#stamp(), door, what: 'mode_changed', mode })
    }
    const version = this.#store.doorModes[frame.door]?.version
    if (version !== undefined) this.#link.send({ type: 'doorModeApplied', door: frame.door, version })
  }

  /** Drives the lock as the mode of now wants it, and once more when that ends. */
  #obeyMode(door: number) {
    const at = this.#now()
    const mode = keptModeAt(this.#store.doorModes, { door, at })
    if (mode === 'unlocked') this.#door(door).holdUnlocked()
    else this.#door(door).letGo()
    clearTimeout(this.#modeEnds.get(door))
    const until = this.#store.doorModes[door]?.until
    const waitMs = until ? Date.parse(until) - at : 0
    if (waitMs > 0)
      this.#modeEnds.set(
        door,
        setTimeout(() => this.#obeyMode(door), Math.min(waitMs, longestTimerMs)),
      )
  }

  #confirmApplied() {
    const mark = this.#appliedMark()
    if (mark) this.#link.send({ type: 'configApplied', ...mark })
  }

  #run(command: CommandFrame) {
    const { id, door } = command
    const answer = (result: CommandAnswer) => this.#link.send({ type: 'commandResult', id, ...result })
    switch (this.#gate.admit(command, performance.now())) {
      case 'repeated':
        return
      case 'expired':
        return answer({ outcome: 'expired' })
      case 'run': {
        const obstacle = this.#obstacleToApproval(command) ?? this.#obstacleAt(door)
        if (obstacle) return answer({ outcome: 'refused', detail: obstacle })
        this.#door(door).unlock(this.#settingsOf(door))
        void this.#record({ type: 'door', ...this.#stamp(), door, what: 'unlocked_once', command: id })
        return answer({ outcome: 'done' })
      }
    }
  }

  /** Whom an operator has approved is decided about again; for who went away, or never came, no door opens. */
  #obstacleToApproval({ request }: CommandFrame): ReasonCode | undefined {
    if (request === undefined) return undefined
    const { verdict, reason } = this.#approvals.settle(request, 'granted') ?? unavailable
    return verdict === 'grant' ? undefined : (reason ?? 'remote_unavailable')
  }

  /** Decided again here: the server may not know yet what this unit knows. */
  #obstacleAt(door: number): ReasonCode | undefined {
    const config = this.#store.applied?.config
    const configured = config?.doors[door]
    if (!config || !configured) return 'door_unknown'
    if (!config.inService) return 'unit_out_of_service'
    if (!configured.enabled) return 'door_disabled'
    const at = this.#now()
    const mode = keptModeAt(this.#store.doorModes, { door, at }) ?? modeAt(configured, at)
    if (mode === 'lockdown') return 'door_locked_down'
    return mode === 'blocked' ? 'door_blocked' : undefined
  }

  #refused({ code, message }: Extract<ServerFrame, { type: 'refused' }>) {
    this.#refusal = `${code}: ${message}`
    this.#options.report(`refused, ${this.#refusal}`)
    this.#enrolment?.reject(new Error(this.#refusal))
    this.#enrolment = undefined
    if (!this.#store.identity.enrolled) this.#link.stop()
  }

  #wentDown() {
    this.#isOnline = false
    clearInterval(this.#heartbeat)
    this.#sender.pause()
    this.#approvals.settleAll('unavailable')
  }
}

type Attempted = Omit<Presented, 'kind'> & { approval?: ApprovalOutcome }

const unavailable: Verdict = { verdict: 'deny', reason: 'remote_unavailable' }
const firmware = 'virtual-1'
/** Timers can't wait for longer; the next one goes on from there. */
const longestTimerMs = 2 ** 31 - 1

type CommandAnswer = Omit<Extract<UnitFrame, { type: 'commandResult' }>, 'type' | 'id'>
