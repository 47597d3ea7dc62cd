import { expect, test } from 'vitest'
import { sortInSteps } from './sort-in-steps.ts'

test('20,000 items are sorted as the comparator says, with less than 6,000 comparisons in a step', () => {
  let compared = 0
  const compare = (a: number, b: number) => {
    compared += 1
    return b - a
  }
  const items = Array.from({ length: 20_000 }, (_, index) => (index * 7_919) % 20_011)
  const steps = sortInSteps(items, compare)
  const comparisons: number[] = []
  for (;;) {
    compared = 0
    const step = steps.next()
    comparisons.push(compared)
    if (!step.done) continue
    expect(step.value).toEqual(items.toSorted((a, b) => b - a))
    break
  }
  expect(Math.max(...comparisons)).toBeLessThan(6_000)
})
