import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const keeper = pathToFileURL(join(import.meta.dirname, 'keep-running.mjs')).href
const soon = { firstMs: 1, maxMs: 4, lastingMs: 3_600_000 }

/** Keeps a program running, in a process of its own. The program can count its starts with `starts`. */
async function keep(program: string, restart = soon) {
  const folder = await mkdtemp(join(tmpdir(), 'portcullis-keep-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const counting = `
    import { appendFileSync, statSync } from 'node:fs'
    appendFileSync('starts', '.')
    const starts = statSync('starts').size
    console.log('start', starts)
    const ready = () => new Promise((resolve) => process.send('ready', resolve))
  `
  const command = [process.execPath, '--input-type=module', '--eval', counting + program]
  const options = JSON.stringify({ command, cwd: folder, restart })
  const source = `import { keepRunning } from '${keeper}'; keepRunning(${options})`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    env: {},
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGTERM'))
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  return {
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    stdout: child.stdout,
    stderr: child.stderr,
    /** The exit code, and the output. */
    async end() {
      const [out, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
      return { code, starts: out.match(/start \d+/g)?.length, errors }
    },
  }
}

test.for([
  ['twice the time for each failure', soon, ['0.001', '0.002', '0.004', '0.004']],
  ['the same time where it lasts long enough', { ...soon, lastingMs: 0 }, ['0.001', '0.001', '0.001', '0.001']],
] as const)('a program that fails once it was ready starts again, after %s', async ([_time, restart, waits]) => {
  const { end } = await keep('await ready(); process.exit(starts < 5 ? 1 : 0)', restart)
  const { code, starts, errors } = await end()
  expect({ code, starts }).toEqual({ code: 0, starts: 5 })
  expect([...errors.matchAll(/again in (\S+) s/g)].map(([, seconds]) => seconds)).toEqual(waits)
})

test('a program that is killed starts again, also if it then fails before it is ready', async () => {
  const { end } = await keep(`
    if (starts === 1) {
      await ready()
      process.kill(process.pid, 'SIGKILL')
    }
    process.exit(starts === 2 ? 78 : 0)
  `)
  expect(await end()).toMatchObject({ code: 0, starts: 3 })
})

test('a program that fails before it is ready does not start again, and its exit code is passed on', async () => {
  const { end } = await keep('process.exit(78)')
  expect(await end()).toMatchObject({ code: 78, starts: 1, errors: '' })
})

test('a Ctrl-C ends a running program, which does not start again', async () => {
  const kept = await keep(`
    process.on('SIGINT', () => process.exit(3))
    await ready()
    setInterval(() => {}, 1_000)
    console.log('waits')
  `)
  const ended = kept.end()
  kept.stdout.on('data', (data: Buffer) => data.includes('waits') && kept.kill('SIGINT'))
  expect(await ended).toMatchObject({ code: 3, starts: 1 })
})

test('a Ctrl-C ends the wait for the next start', async () => {
  const kept = await keep('await ready(); process.exit(1)', { ...soon, firstMs: 3_600_000 })
  const ended = kept.end()
  kept.stderr.on('data', (data: Buffer) => data.includes('again in 3600 s') && kept.kill('SIGINT'))
  expect(await ended).toMatchObject({ code: 0, starts: 1 })
})
