import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const root = join(import.meta.dirname, '..')

type StartChildInput = { program: string; settings?: string[]; environment?: Record<string, string>; readyLine: RegExp }

export type Child = Awaited<ReturnType<typeof startChild>>

/**
 * Starts a program of this repository in its own process and resolves when it has printed a line that matches `readyLine`.
 * `caught` is the first group of the match.
 */
export async function startChild({ program, settings = [], environment = {}, readyLine }: StartChildInput) {
  const child = spawn(process.execPath, [join(root, program), ...settings], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const killOnExit = () => child.kill()
  process.on('exit', killOnExit)
  const ready = Promise.withResolvers<string>()
  createInterface(child.stdout).on('line', (line) => {
    const [, caught] = readyLine.exec(line) ?? []
    if (caught !== undefined) ready.resolve(caught)
  })
  child.once('exit', (code) => ready.reject(new Error(`${program} ended with ${code} before it was ready.`)))
  return {
    caught: await ready.promise,
    pid: child.pid ?? 0,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
      process.off('exit', killOnExit)
    },
  }
}
