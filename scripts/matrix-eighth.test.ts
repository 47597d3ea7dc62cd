import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { countCommits, matrixEighth } from './matrix-eighth.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portcullis-eighth-'))
})
afterEach(() => rm(folder, { recursive: true }))

test('eight commits in a row, or eight days without a history of commits, try each eighth once', () => {
  const each = Array.from({ length: 8 }, (_, index) => index)
  const now = new Date('2026-03-01T09:00:00Z')
  const daysLater = (days: number) => new Date(now.getTime() + days * 86_400_000)
  const ofCommits = each.map((step) => matrixEighth({ commits: 1_203 + step, now }))
  const ofDays = each.map((step) => matrixEighth({ commits: undefined, now: daysLater(step) }))
  expect(new Set(ofCommits)).toEqual(new Set(each))
  expect(new Set(ofDays)).toEqual(new Set(each))
})

test('commits are counted in a complete history, and undefined in a shallow clone or a bare copy', async () => {
  expect(countCommits(folder)).toBeUndefined()
  const whole = join(folder, 'whole')
  execFileSync('git', ['init', '--quiet', whole])
  const author = ['-c', 'user.name=Tester', '-c', 'user.email=tester@portcullis.example']
  for (const subject of ['one', 'two']) {
    execFileSync('git', [...author, 'commit', '--quiet', '--allow-empty', '-m', subject], { cwd: whole })
  }
  expect(countCommits(whole)).toBe(2)
  const shallow = join(folder, 'shallow')
  execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${whole}`, shallow])
  expect(countCommits(shallow)).toBeUndefined()
})
