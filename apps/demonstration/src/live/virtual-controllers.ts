import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ControlClient, controlClient, controlFileIn } from '@portcullis/controllers/control-client'
import { pageUrl } from '@portcullis/controllers/control-protocol'
import type { FastifyBaseLogger } from 'fastify'

/** The folder of the virtual controllers' disks. If it exists, this server is their home. */
export function homeOfControllers(dataDir: string) {
  return join(dataDir, 'virtual-controllers')
}

const program = fileURLToPath(import.meta.resolve('@portcullis/controllers/virtual-units-process'))
const restart = { firstMs: 1_000, maxMs: 30_000, steadyMs: 60_000 } as const
const graceMs = 5_000

type Options = {
  serverUrl: string
  dir: string
  log: FastifyBaseLogger
  /** Resolves when the process runs and accepts control requests. */
  onReady: (control: ControlClient) => Promise<void>
  /** Receives the address of the page, which is another one after each start. */
  onPage: (url: string) => void
}

/** The process of the virtual controllers. It is restarted when it dies, and ends with the server. */
export class VirtualControllers {
  readonly #options: Options
  #child: ChildProcess | undefined
  #retry: NodeJS.Timeout | undefined
  #delayMs: number = restart.firstMs
  #isStopped = false
  /** Undefined while the process is not running. */
  control: ControlClient | undefined

  constructor(options: Options) {
    this.#options = options
  }

  start() {
    const { serverUrl, dir, log } = this.#options
    const since = performance.now()
    // The server always listens on this machine too, even if HOST is an address of the network.
    const settings = ['--server', serverUrl, '--data', dir, '--allow-unencrypted', '--with-parent']
    const child = spawn(process.execPath, [program, ...settings], { stdio: ['pipe', 'pipe', 'pipe'] })
    this.#child = child
    child.stdin.on('error', () => {})
    child.stdout.once('data', () => void this.#ready())
    child.stderr.on('data', (text: Buffer) => log.info({ from: 'virtual controllers' }, text.toString().trimEnd()))
    child.once('error', (error) => log.warn({ err: error }, 'starting the virtual controllers failed'))
    child.once('close', (code) => {
      this.control = undefined
      this.#child = undefined
      if (this.#isStopped) return
      log.warn({ code }, 'the virtual controllers exited; restarting them')
      const isSteady = performance.now() - since > restart.steadyMs
      this.#delayMs = isSteady ? restart.firstMs : Math.min(restart.maxMs, this.#delayMs * 2)
      this.#retry = setTimeout(() => this.start(), this.#delayMs)
    })
  }

  async stop() {
    this.#isStopped = true
    clearTimeout(this.#retry)
    const child = this.#child
    if (!child) return
    const ended = once(child, 'close')
    const kill = setTimeout(() => child.kill('SIGKILL'), graceMs)
    child.kill('SIGTERM')
    await ended
    clearTimeout(kill)
  }

  async #ready() {
    const { dir, log, onReady, onPage } = this.#options
    try {
      const file = await controlFileIn(dir)
      const control = controlClient(file)
      await onReady(control)
      if (!this.#child) return
      this.control = control
      onPage(pageUrl(file))
    } catch (error) {
      if (!this.#isStopped) log.warn({ err: error }, 'preparing the virtual controllers failed')
    }
  }
}
