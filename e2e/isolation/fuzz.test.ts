import { startOwnServer } from '@portcullis/server/test-server'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { fuzzings } from './all-attacks.ts'
import { buildEstate } from './estate.ts'

const server = await startOwnServer()
afterAll(server.stop)
const estate = await buildEstate({ ...server, events: 100 })
const cases = inject('randomCases') * 5
const seed = Date.now() % 1_000_000

describe(`random cases with seed ${seed}`, () => {
  test.each(fuzzings)('$name are answered as documented, and stop no work', async ({ run, share }) => {
    const { faults } = await run(estate, { cases: Math.round(cases * share), seed })
    expect(faults).toEqual([])
  })
})
