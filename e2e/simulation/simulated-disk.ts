import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { sep } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Random } from './random.ts'

const node = { open: fs.open, rename: fs.rename, truncate: fs.truncate, rm: fs.rm, readFile: fs.readFile }
const disks = new Map<string, SimulatedDisk>()
let operations = 0

/** Whether the machine's own disk still works for a simulated one. The process does not list all such operations as active. */
export function areFilesInUse() {
  return operations > 0
}

function used<T>(operation: Promise<T>): Promise<T> {
  operations++
  return operation.finally(() => operations--)
}

/** Puts these disks under their folders, for all code of the process. */
export function installDisks(byFolder: ReadonlyMap<string, SimulatedDisk>) {
  for (const [folder, disk] of byFolder) disks.set(folder, disk)
  Object.assign(fs, { open, rename, truncate, rm, readFile })
  syncBuiltinESMExports()
}

export function uninstallDisks() {
  disks.clear()
  Object.assign(fs, node)
  syncBuiltinESMExports()
}

type Unsynced = { syncedBytes: number }

/** The disk of one unit: it can be full, and loses what was not synced when the power fails. */
export class SimulatedDisk {
  isFull = false
  isPowered = true
  #syncs = 0
  /** Called with bytes that are now certain to survive. */
  onSynced: (path: string, bytes: Buffer) => void = () => {}
  readonly #random: Random
  readonly #unsynced = new Map<string, Unsynced>()
  #crashPoint: { after: number; crash: () => void } | undefined

  constructor(random: Random) {
    this.#random = random
  }

  /** A command may have run that its log does not have yet. */
  get isSyncing() {
    return this.#syncs > 0
  }

  /** The unit crashes at its n-th use of the disk from now. */
  crashAfter(after: number, crash: () => void) {
    this.#crashPoint = { after, crash }
  }

  forgetCrash() {
    this.#crashPoint = undefined
  }

  powerOff() {
    this.isPowered = false
    this.forgetCrash()
  }

  /** Of what was not synced, any part may have reached the disk. */
  async powerOn() {
    for (const [path, { syncedBytes }] of this.#unsynced) {
      const { length } = await used(node.readFile(path)).catch(() => Buffer.alloc(0))
      if (length > syncedBytes) await used(node.truncate(path, this.#random.between(syncedBytes, length)))
    }
    this.#unsynced.clear()
    this.isPowered = true
  }

  /** @throws where the power is off. */
  use() {
    const point = this.#crashPoint
    if (point && point.after-- <= 0) {
      this.powerOff()
      point.crash()
    }
    this.#requirePower()
  }

  async write(path: string, { bytes, add }: { bytes: Buffer; add: (bytes: Buffer) => Promise<void> }) {
    this.use()
    const { length } = await used(node.readFile(path))
    if (!this.#unsynced.has(path)) this.#unsynced.set(path, { syncedBytes: length })
    if (this.isFull) {
      await add(bytes.subarray(0, Math.floor(bytes.length / 2)))
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
    }
    await add(bytes)
    this.#requirePower()
  }

  async sync(path: string) {
    this.use()
    this.#syncs++
    await delay(this.#random.between(1, 8)).finally(() => this.#syncs--)
    this.#requirePower()
    const unsynced = this.#unsynced.get(path)
    if (!unsynced) return
    this.#unsynced.delete(path)
    const content = await used(node.readFile(path))
    this.onSynced(path, content.subarray(unsynced.syncedBytes))
  }

  renamed(from: string) {
    this.#unsynced.delete(from)
  }

  #requirePower() {
    if (!this.isPowered) throw Object.assign(new Error('EIO: i/o error, the power is off'), { code: 'EIO' })
  }
}

function diskOf(path: string) {
  for (const [folder, disk] of disks) if (path === folder || path.startsWith(folder + sep)) return disk
  return undefined
}

async function open(path: string, ...settings: [flags?: string, mode?: number]) {
  const disk = diskOf(path)
  if (!disk) return used(node.open(path, ...settings))
  disk.use()
  const file = await used(node.open(path, ...settings))
  const add = (bytes: Buffer) => used(file.appendFile(bytes))
  const write = (given: string | Uint8Array) => disk.write(path, { bytes: Buffer.from(given), add })
  const sync = () => disk.sync(path)
  return { appendFile: write, writeFile: write, sync, datasync: sync, close: () => used(file.close()) }
}

async function rename(from: string, to: string) {
  diskOf(from)?.use()
  await used(node.rename(from, to))
  diskOf(from)?.renamed(from)
}

async function truncate(path: string, length?: number) {
  diskOf(path)?.use()
  await used(node.truncate(path, length))
}

async function rm(path: string, options?: Parameters<typeof fs.rm>[1]) {
  diskOf(path)?.use()
  await used(node.rm(path, options))
}

/** Only the two forms that units use. */
async function readFile(path: string, encoding?: BufferEncoding) {
  diskOf(path)?.use()
  return encoding === undefined ? used(node.readFile(path)) : used(node.readFile(path, encoding))
}
