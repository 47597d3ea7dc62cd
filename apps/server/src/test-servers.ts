import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { inject, onTestFinished } from 'vitest'
import { z } from 'zod'
import { type Config, readConfig } from './config.ts'
import { startServer } from './start-server.ts'

const main = join(import.meta.dirname, 'main.ts')

/** Starts another server on an already served database, until the test has ended. */
export async function startAnotherServer(databaseUrl: string, settings: Partial<Config> = {}) {
  const { url, stop } = await startSecondServer(databaseUrl, settings)
  onTestFinished(stop)
  return { url }
}

/** The same until `stop` is called, for all tests of a file. */
export async function startSecondServer(databaseUrl: string, settings: Partial<Config> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'portcullis-beside-'))
  const config = readConfig({ ...environment(dataDir), DATABASE_URL: databaseUrl, PORT: '0' })
  const { app, stop } = await startServer({ ...config, ...settings }, () => {})
  const { port } = z.object({ port: z.int() }).parse(app.server.address())
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      await stop()
      await rm(dataDir, { recursive: true })
    },
  }
}

/** The same as a separate process, which can be killed at any moment. */
export async function spawnAnotherServer(databaseUrl: string, port = 0, logLevel: Config['logLevel'] = 'silent') {
  const dataDir = await ownFolder()
  const child = spawn(process.execPath, [main], {
    env: { ...environment(dataDir), DATABASE_URL: databaseUrl, PORT: String(port), LOG_LEVEL: logLevel },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => ended(child, 'SIGKILL'))
  const printed: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data: Buffer) => printed.push(data.toString()))
  }
  child.stderr.pipe(process.stderr)
  return {
    url: await readyUrl(child),
    /** What it has written to its standard output and error, its log included. */
    printed: () => printed.join(''),
    kill: () => ended(child, 'SIGKILL'),
    requestEnd: () => child.kill('SIGTERM'),
    /** The exit code. */
    code: new Promise<number | null>((resolve) => child.once('exit', resolve)),
  }
}

/** A proxy to a server or a database that can be closed for a while: connections break, or hang silently. */
export async function openGate(to: string) {
  const target = new URL(to)
  const pairs = new Set<[Socket, Socket]>()
  let state: 'open' | 'shut' | 'hanging' = 'open'
  const gate = createServer((near) => {
    if (state === 'shut') {
      near.destroy()
      return
    }
    const far = connect(Number(target.port), target.hostname)
    const pair: [Socket, Socket] = [near, far]
    pairs.add(pair)
    for (const socket of pair) {
      socket.on('error', () => {})
      socket.on('close', () => {
        pairs.delete(pair)
        for (const each of pair) each.destroy()
      })
    }
    if (state === 'hanging') near.pause()
    else near.pipe(far).pipe(near)
  })
  await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve))
  const { port } = z.object({ port: z.int() }).parse(gate.address())
  const url = new URL(to)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  onTestFinished(() => close())
  return {
    url: url.href.replace(/\/$/, ''),
    /** Refuses new connections and cuts open ones. */
    shut() {
      state = 'shut'
      for (const pair of pairs) for (const socket of pair) socket.destroy()
    },
    /** Holds back all data, also on new connections. */
    hang() {
      state = 'hanging'
      for (const pair of pairs) for (const socket of pair) socket.unpipe().pause()
    },
    /** Resumes connections that were not cut. */
    open() {
      state = 'open'
      for (const [near, far] of pairs) if (near.isPaused()) near.pipe(far).pipe(near)
    },
  }

  async function close() {
    for (const pair of pairs) for (const socket of pair) socket.destroy()
    await new Promise((resolve) => gate.close(resolve))
  }
}

function environment(dataDir: string) {
  return {
    NODE_COMPILE_CACHE: inject('compileCache'),
    HOST: '127.0.0.1',
    DEMO: 'off',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    SECRET_KEY_FILE: join(inject('testFolder'), 'secret.key'),
  }
}

async function ownFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'portcullis-another-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

function readyUrl(child: ChildProcess) {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  if (child.stdout) {
    createInterface(child.stdout).on('line', (line) => {
      const [, url] = /Portcullis is ready: (\S+)/.exec(line) ?? []
      if (url !== undefined) resolve(url)
    })
  }
  child.once('exit', (code) => reject(new Error(`The server ended with ${code} before it was ready.`)))
  return promise
}

async function ended(child: ChildProcess, signal: NodeJS.Signals) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const { promise, resolve } = Promise.withResolvers<void>()
  child.once('exit', () => resolve())
  child.kill(signal)
  await promise
}
