import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url))

let dir: string
let controllers: ChildProcess | undefined
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'present-'))
})
afterEach(async () => {
  await end()
  await rm(dir, { recursive: true })
})

async function start() {
  const program = pathOf('../packages/controllers/src/virtual-units-process.ts')
  // No server listens there: cards are presented at controllers, not at servers.
  controllers = spawn(process.execPath, [program, '--server', 'http://127.0.0.1:9', '--data', dir], { stdio: 'pipe' })
  if (controllers.stdout) await once(controllers.stdout, 'data')
}

async function end() {
  if (!controllers || controllers.exitCode !== null || controllers.signalCode !== null) return
  const exit = once(controllers, 'exit')
  controllers.kill('SIGKILL')
  await exit
}

function present(...given: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [pathOf('present.ts'), '--data', dir, ...given], {
    encoding: 'utf8',
  })
  return { status, output: (stdout + stderr).trim() }
}

test('virtual controllers that do not run, or were killed, are reported with the remedy', async () => {
  const missing = {
    status: 1,
    output: `No virtual controllers are running in ${dir}. Run npm start, or pass the folder of others with --data.`,
  }
  expect(present()).toEqual(missing)
  await start()
  expect(present().output).toMatch(/^npm run present -- --unit SERIAL/)
  await end()
  expect(present()).toEqual(missing)
})

test('a card that cannot be presented is refused with a reason', async () => {
  await start()
  expect(present('--unit', 'PV-1', '--door', '1', '--number', '7')).toEqual({
    status: 1,
    output: 'No virtual controller has the serial number PV-1.',
  })
  expect(present('--unit', 'PV-1', '--on-battery', 'yes')).toEqual({
    status: 1,
    output: 'No virtual controller has the serial number PV-1.',
  })
})

test('--help prints the usage, and a wrong option ends with the exit code 2', () => {
  const help = present('--help')
  expect(help.status).toBe(0)
  expect(help.output).toMatch(/^npm run present -- --unit/)
  const wrong = present('--door', '1')
  expect(wrong.status).toBe(2)
  expect(wrong.output).toMatch(/^--unit is missing/)
})
