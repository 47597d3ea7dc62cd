import { expect, test } from 'vitest'
import { z } from 'zod'
import { readCommandLine, wholeNumber } from './command-line.ts'

const usage = 'npm run example -- [--rounds COUNT] [--all]'

function read(...given: string[]) {
  const schema = z.object({ rounds: wholeNumber({ min: 1, max: 9 }).default(5), all: z.boolean().optional() })
  return readCommandLine({ usage, options: schema.shape, schema, given })
}

test('a command line gives its values, and defaults for the others', () => {
  expect(read('--rounds', '7', '--all')).toEqual({ values: { rounds: 7, all: true } })
  expect(read()).toEqual({ values: { rounds: 5 } })
})

test('--help gives the usage', () => {
  expect(read('--help', '--rounds', 'x')).toEqual({ text: usage, exitCode: 0 })
})

test.each([
  [['--rounds', 'x'], '--rounds must be a whole number from 1 to 9.'],
  [['--rounds', '10'], '--rounds must be a whole number from 1 to 9.'],
  [['--rounds', '1.5'], '--rounds must be a whole number from 1 to 9.'],
  [['--rounds', ''], '--rounds must be a whole number from 1 to 9.'],
  [['--rounds', '-1'], '--rounds needs a value.'],
  [['--rounds'], '--rounds needs a value.'],
  [['--all=yes'], "Option '--all' does not take an argument."],
  [['--round', '1'], "Unknown option '--round'."],
  [['7'], "Unexpected argument '7'."],
])('%j gives a sentence, the usage and the exit code 2', (given, sentence) => {
  expect(read(...given)).toEqual({ text: `${sentence}\n\n${usage}`, exitCode: 2 })
})
