import { stat } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { expect, test } from 'vitest'
import { hashPassword, isPassword } from './password.ts'

const maxAtOnce = Math.max(1, availableParallelism() - 1)

test('however many passwords arrive, one core fewer than there are hashes them, so that other work goes on', async () => {
  let done = 0
  const count = () => (done += 1)
  const hashes = Array.from({ length: maxAtOnce + 12 }, () => hashPassword('a flood of sign-ins').then(count))
  // Files are read by the same threads, in the order of their requests.
  await stat(import.meta.filename)
  expect(done).toBeLessThan(maxAtOnce + 4)
  await Promise.all(hashes)
})

test('beyond 500 waiting passwords, requests are refused', async () => {
  const flood = Array.from({ length: maxAtOnce + 500 }, () => isPassword('wrong', 'no hash').catch(() => 'checked'))
  await expect(hashPassword('one more')).rejects.toMatchObject({ code: 'too_many' })
  expect(new Set(await Promise.all(flood))).toEqual(new Set(['checked']))
})
