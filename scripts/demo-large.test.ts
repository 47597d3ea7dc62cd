import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testEnvironment } from './test-environment.ts'

let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'demo-large-'))
})
afterAll(() => rm(dataDir, { recursive: true, force: true }))

function demoLarge(...settings: string[]) {
  const program = join(import.meta.dirname, 'demo-large.ts')
  const environment = { ...testEnvironment(), DATA_DIR: dataDir }
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...settings], {
    env: environment,
    encoding: 'utf8',
  })
  return { status, output: stdout + stderr }
}

test('npm run demo:large makes an estate of the requested sizes, and finds it the next time', () => {
  const first = demoLarge('--doors', '40', '--people', '90', '--events', '3000', '--only-fill')
  expect(first.output).toMatch(/Estate: \d+ accounts, 3 sites, 40 doors, 6 controllers, 90 users/)
  const [, events = ''] = /Events: ([\d,]+)/.exec(first.output) ?? []
  expect(Number(events.replace(',', ''))).toBeGreaterThan(2_500)
  expect(Number(events.replace(',', ''))).toBeLessThan(3_500)
  expect(first.output).toMatch(/uses \d+ MB of disk space/)
  expect(first.status).toBe(0)

  const second = demoLarge('--only-fill')
  expect(second.output).toContain('The estate already exists.')
  expect(second.output).not.toMatch(/Events: /)
  expect(second.status).toBe(0)
}, 600_000)

test('npm run demo:large prints its usage', () => {
  const { status, output } = demoLarge('--doors', 'many')
  expect(output).toContain(`--doors cannot be "many": use a whole number from 16.`)
  expect(output).toContain('npm run demo:large')
  expect(status).toBe(1)
})
