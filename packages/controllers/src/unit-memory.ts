import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SharedPassage } from '@portcullis/contract/unit-protocol/frame-fields'
import { limits } from '@portcullis/contract/unit-protocol/frames'
import type { UnitMemory } from '@portcullis/domain/configuration/state-on-unit'
import type { UnitArea, UnitConfig } from '@portcullis/domain/configuration/unit-config'
import { type Direction, directions } from '@portcullis/domain/policy'
import { z } from 'zod'
import { type Disk, writeDurably } from './write-durably.ts'

const maxWrongPins = limits.wrongPins
const lockedMs = limits.pinLockedMinutes * 60_000
/** How long the unit waits before it repeats a write that the disk has refused. */
const repeatMs = 5_000

const marks = z.object({ all: z.string().nullable(), users: z.record(z.string(), z.string()) })
const passage = z.object({
  direction: z.enum(directions).nullable(),
  at: z.number(),
  /** By the server's clock, for a passage at another unit. */
  sharedAt: z.number().optional(),
})
type StoredPassage = z.output<typeof passage>

const stored = z.object({
  /** By area, then user. */
  passages: z.record(z.string(), z.record(z.string(), passage)).default({}),
  /** How far the server has sent the passages at other units. */
  passagesUpTo: z.iso.datetime().optional(),
  /** Ids of credentials that the server has blocked, the last ones at the end. */
  blocked: z.array(z.string()).default([]),
  firstPersonAt: z.record(z.string(), z.number()).default({}),
  /** The forgiveness that this unit has already obeyed, by area. */
  forgiven: z.record(z.string(), marks).default({}),
  /** By user, or by door for PINs without a card. */
  wrongPins: z.record(z.string(), z.object({ count: z.int(), at: z.number() })).default({}),
  /** As last recorded. */
  inputs: z.object({ tampered: z.boolean(), onBattery: z.boolean() }).default({ tampered: false, onBattery: false }),
  /** When an unreadable file was replaced: how many wrong PINs it had is unknown. */
  unreadableAt: z.number().optional(),
})
type Stored = z.output<typeof stored>

type Passing = { user: string; direction: Direction; isFirst: boolean; at: number }
/** A grant at a door that has not opened yet; it counts as a passage only if the door opens before `until`. */
type Granted = Passing & { until: number }

/** From the server; `clockAheadMs`: how far this unit's clock is ahead of the server's. */
type SharedPassages = { passages: readonly SharedPassage[]; upTo: string; clockAheadMs: number }

/** What a unit remembers of its doors, users and inputs. It survives a power cut; without its file the unit knows nothing. */
export class UnitMemoryFile {
  /** A write that the disk had refused has succeeded; the last hello did not name its content. */
  onRepeated: () => void = () => {}
  readonly #path: string
  readonly #report: (sentence: string) => void
  readonly #beforeWrite: () => void
  readonly #granted = new Map<number, Granted[]>()
  #stored: Stored
  #onDisk: Pick<Stored, 'blocked' | 'passagesUpTo'>
  #repeat: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()
  #isWaiting = false
  #isAbandoned = false

  private constructor({ path, report, beforeWrite, value }: Required<MemoryOptions> & { path: string; value: Stored }) {
    this.#path = path
    this.#beforeWrite = beforeWrite
    this.#report = report
    this.#stored = value
    this.#onDisk = { blocked: value.blocked, passagesUpTo: value.passagesUpTo }
  }

  /** An unreadable file is reported, forgets the passages, and locks all PINs from `at` as too many wrong ones would. */
  static async open({ dir, report, beforeWrite = () => {}, at = Date.now() }: OpenOptions) {
    const path = join(dir, 'memory.json')
    try {
      return new UnitMemoryFile({ path, report, beforeWrite, value: stored.parse(JSON.parse(await readOrEmpty(path))) })
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      report(
        `memory.json cannot be read, passages and blocked credentials are forgotten, PINs are locked for ${limits.pinLockedMinutes} minutes: ${why}`,
      )
      return new UnitMemoryFile({ path, report, beforeWrite, value: stored.parse({ unreadableAt: at }) })
    }
  }

  /** Together with the doors that are open now: the input of a decision. */
  with(open: ReadonlySet<number>): UnitMemory {
    const { passages, firstPersonAt } = this.#stored
    const granted = [...this.#granted].flatMap(([door, grants]) => grants.map((each) => ({ ...each, door })))
    return { open, passages, firstPersonAt, granted }
  }

  /** A user may pass this door; they have passed once it opens. */
  granted(door: number, granted: Granted) {
    const pending = (this.#granted.get(door) ?? []).filter(({ until }) => granted.at <= until)
    this.#granted.set(door, [...pending, granted])
  }

  /** The door has opened: the users who were granted access just before have passed. */
  opened(door: number, { config, at }: { config: UnitConfig; at: number }) {
    const granted = this.#granted.get(door) ?? []
    this.#granted.delete(door)
    for (const passing of granted) if (at <= passing.until) this.passed(config, door, { ...passing, at })
  }

  /** A user has passed this door, or is granted access while it is open. */
  passed(config: UnitConfig, number: number, { user, direction, isFirst, at }: Passing) {
    const door = config.doors[number]
    const areas = door?.areas ?? []
    for (const area of areas) {
      const ofUsers = (this.#stored.passages[area] ??= {})
      ofUsers[user] = { direction, at }
    }
    const opensDay = door?.firstPerson && isFirst && direction === 'entry'
    if (opensDay) this.#stored.firstPersonAt[door._id] = at
    if (opensDay || areas.length > 0) this.#keep()
  }

  /**
   * What would survive a power cut: how far the server has sent the passages at other units, undefined if it has sent
   * none, and the blocked credentials.
   */
  get onDisk(): Readonly<Pick<Stored, 'blocked' | 'passagesUpTo'>> {
    return this.#onDisk
  }

  /** Users have passed doors of other units. Passages that are not later than the known ones, or forgiven, change nothing. */
  learn({ passages, upTo, clockAheadMs }: SharedPassages, { areas = {} }: Pick<UnitConfig, 'areas'>) {
    for (const { area, user, direction, at } of passages) {
      const sharedAt = Date.parse(at)
      const ofUsers = (this.#stored.passages[area] ??= {})
      const isLater = sharedAt + clockAheadMs > (ofUsers[user]?.at ?? Number.NEGATIVE_INFINITY)
      if (!isLater || isForgiven(areas[area], { user, sharedAt })) continue
      ofUsers[user] = { direction, at: sharedAt + clockAheadMs, sharedAt }
    }
    if (upTo > (this.#stored.passagesUpTo ?? '')) this.#stored.passagesUpTo = upTo
    this.#keep()
  }

  /** Ids of credentials whose access has ended although the configuration may still contain them. */
  get blocked(): readonly string[] {
    return this.#stored.blocked
  }

  /** The oldest give way where there are too many. */
  block({ block, unblock }: { block: readonly string[]; unblock: readonly string[] }) {
    const changed = new Set([...block, ...unblock])
    const kept = this.#stored.blocked.filter((id) => !changed.has(id))
    this.#stored.blocked = [...kept, ...block].slice(-limits.blockedCredentials)
    this.#keep()
  }

  /**
   * Forgets the passages that a new configuration forgives, and those of areas that it no longer has. Credentials that it
   * no longer contains need not be blocked.
   */
  obey({ areas = {}, credentials = {} }: Partial<Pick<UnitConfig, 'areas' | 'credentials'>>) {
    const before = JSON.stringify(this.#stored)
    const { passages, forgiven } = this.#stored
    for (const byArea of [passages, forgiven]) {
      for (const area of Object.keys(byArea)) if (!areas[area]) delete byArea[area]
    }
    for (const [id, area] of Object.entries(areas)) this.#forgive(id, area)
    if (this.#stored.blocked.length > 0) {
      const contained = new Set(Object.values(credentials).map(({ _id }) => _id))
      this.#stored.blocked = this.#stored.blocked.filter((id) => contained.has(id))
    }
    if (JSON.stringify(this.#stored) !== before) this.#keep()
  }

  #forgive(id: string, { forgivenAllAt: all, forgivenAt: users }: UnitArea) {
    const { passages, forgiven } = this.#stored
    // A unit may have received passages of an area before its configuration.
    const obeyed = forgiven[id] ?? { all: null, users: {} }
    forgiven[id] = { all, users: { ...users } }
    const inside = passages[id] ?? {}
    const forget = (user: string, mark: string | null) => {
      if (!isSharedAfter(inside[user], mark)) delete inside[user]
    }
    if (obeyed.all !== all) for (const user of Object.keys(inside)) forget(user, all)
    for (const [user, mark] of Object.entries(users)) if (obeyed.users[user] !== mark) forget(user, mark)
  }

  /** `key`: the user who presented a card, or the door for PINs without one. */
  isPinLocked(key: string, at: number) {
    const { unreadableAt, wrongPins } = this.#stored
    if (unreadableAt !== undefined && Math.abs(at - unreadableAt) < lockedMs) return true
    const wrong = wrongPins[key]
    return wrong !== undefined && wrong.count >= maxWrongPins && Math.abs(at - wrong.at) < lockedMs
  }

  /** Wrong PINs count together unless enough time has passed since the last one. */
  wrongPin(key: string, at: number) {
    const { wrongPins } = this.#stored
    const last = wrongPins[key]
    const isRecent = last !== undefined && Math.abs(at - last.at) < lockedMs
    wrongPins[key] = { count: (isRecent ? last.count : 0) + 1, at }
    this.#keep()
  }

  rightPin(key: string) {
    if (!this.#stored.wrongPins[key]) return
    delete this.#stored.wrongPins[key]
    this.#keep()
  }

  /** The tamper contact and the power supply, as last recorded. */
  get inputs() {
    return this.#stored.inputs
  }

  keepInputs(inputs: Stored['inputs']) {
    this.#stored.inputs = inputs
    this.#keep()
  }

  /** Resolves when everything is on the disk, or the disk has refused it. */
  flushed() {
    return this.#writing
  }

  /** Writes everything that is not on the disk, for the last time. */
  async close() {
    if (this.#repeat) this.#keep()
    await this.#writing
    return this.abandon()
  }

  /** Simulates a power cut: changes that the unit has not begun to write are lost. */
  abandon() {
    this.#isAbandoned = true
    clearTimeout(this.#repeat)
    return this.#writing
  }

  /** Changes while a write runs are written together by the next one. */
  #keep() {
    if (this.#isWaiting) return
    this.#isWaiting = true
    this.#writing = this.#writing.then(() => this.#store())
  }

  /** A disk fault never keeps a door closed: the unit decides by what it knows, and repeats the write. */
  async #store() {
    this.#isWaiting = false
    if (this.#isAbandoned) return
    const isRepeated = this.#repeat !== undefined
    clearTimeout(this.#repeat)
    this.#repeat = undefined
    const { blocked, passagesUpTo } = this.#stored
    try {
      this.#beforeWrite()
      await writeDurably(this.#path, JSON.stringify(this.#stored))
      this.#onDisk = { blocked, passagesUpTo }
      if (isRepeated) this.onRepeated()
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      if (!isRepeated) this.#report(`memory not stored, will retry every ${repeatMs / 1_000} s: ${why}`)
      if (!this.#isAbandoned) this.#repeat = setTimeout(() => this.#keep(), repeatMs)
    }
  }
}

function isForgiven(area: UnitArea | undefined, { user, sharedAt }: { user: string; sharedAt: number }) {
  const marks = [area?.forgivenAllAt, area?.forgivenAt[user]]
  return marks.some((mark) => mark && sharedAt <= Date.parse(mark))
}

/** Times of the unit's own clock cannot be compared with the server's, so its own passages never count as later. */
function isSharedAfter(passage: StoredPassage | undefined, mark: string | null) {
  return passage?.sharedAt !== undefined && mark !== null && passage.sharedAt > Date.parse(mark)
}

type MemoryOptions = Disk & { report: (sentence: string) => void }
type OpenOptions = MemoryOptions & { dir: string; at?: number }

/** A new unit has no file yet. */
async function readOrEmpty(path: string) {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '{}'
    throw error
  }
}
