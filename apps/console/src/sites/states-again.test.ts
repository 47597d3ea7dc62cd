import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, onTestFinished, test, vi } from 'vitest'
import { statesAgain } from './states-again.ts'

/** Three sites on a screen; returns the ids that are read again. */
async function openSites(sitesOfUnits: (units: readonly string[]) => Promise<readonly string[]>) {
  vi.useFakeTimers()
  const queryClient = new QueryClient()
  const read: string[] = []
  const ends = ['harbour', 'depot', 'yard'].map((site) =>
    new QueryObserver(queryClient, { queryKey: ['state', site], queryFn: () => read.push(site) }).subscribe(() => {}),
  )
  const again = statesAgain({ queryClient, queryKey: ['state'], sitesOfUnits })
  onTestFinished(() => {
    again.stop()
    for (const end of ends) end()
    queryClient.clear()
    vi.useRealTimers()
  })
  await vi.advanceTimersByTimeAsync(1)
  read.length = 0
  return { read, ...again, afterPause: () => vi.advanceTimersByTimeAsync(1_000) }
}

test('only the sites of changed doors are read again, once in a second', async () => {
  const { read, changed, afterPause } = await openSites(async () => [])
  changed({ sites: ['depot'] })
  changed({ sites: ['depot', 'elsewhere'] })
  expect(read).toEqual([])
  await afterPause()
  expect(read).toEqual(['depot'])
})

test('changed controllers read the sites of their doors again, which are found in one request', async () => {
  const asked: (readonly string[])[] = []
  const { read, changed, afterPause } = await openSites(async (units) => (asked.push(units), ['yard']))
  changed({ units: ['north'] })
  changed({ units: ['south'], sites: ['harbour'] })
  await afterPause()
  expect([read, asked]).toEqual([['harbour', 'yard'], [['north', 'south']]])
})

test('all sites are read again after a removal, and where the sites of a controller are not known', async () => {
  const { read, changed, afterPause } = await openSites(() => Promise.reject(new Error('offline')))
  changed('all')
  await afterPause()
  expect(read).toHaveLength(3)
  changed({ units: ['north'] })
  await afterPause()
  expect(read).toHaveLength(6)
  changed({ sites: ['yard'] })
  await afterPause()
  expect(read).toHaveLength(7)
})
