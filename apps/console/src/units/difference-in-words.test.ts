import { differenceChanges, differenceKinds } from '@portcullis/contract/calls/unit-difference'
import { expect, test } from 'vitest'
import { differenceInWords } from './difference-in-words.ts'

test('a difference is one sentence with singular and plural forms', () => {
  const counts = [
    { kind: 'card', change: 'added', count: 1_200 },
    { kind: 'schedules', change: 'changed', count: 1 },
    { kind: 'cardholders', change: 'removed', count: 3 },
    { kind: 'enabled', change: 'changed', count: 1 },
  ] as const
  expect(differenceInWords(counts)).toBe(
    '1,200 cards added, 1 schedule changed, 3 cardholders removed, controller enabled or disabled',
  )
})

test('every kind and change has words of its own', () => {
  const all = differenceKinds.flatMap((kind) => differenceChanges.map((change) => ({ kind, change, count: 1 })))
  const settings = ['enabled', 'period']
  const words = all.filter(({ kind }) => !settings.includes(kind)).map((each) => differenceInWords([each]))
  expect(new Set(words).size).toBe((differenceKinds.length - settings.length) * differenceChanges.length)
})
