import { expect, onTestFinished, test, vi } from 'vitest'
import { withMore } from './with-more.ts'

test('the number of further names ends the list', () => {
  expect(withMore(['Ann', 'Ben'], 3)).toBe('Ann, Ben and 3 more')
  expect(withMore(['Ann', 'Ben'], 0)).toBe('Ann, Ben')
})

test('in Spanish, only the last member follows "y"', async () => {
  vi.resetModules()
  vi.stubGlobal('navigator', { languages: ['es-ES'] })
  onTestFinished(() => {
    vi.unstubAllGlobals()
    vi.resetModules()
  })
  await (await import('./translation.ts')).loadTranslation()
  const spanish = await import('./with-more.ts')
  expect(spanish.withMore(['Ana', 'Ben', 'Carla'], 53)).toBe('Ana, Ben, Carla y 53 más')
  expect(spanish.withMore(['Ana', 'Ben'], 0)).toBe('Ana y Ben')
})
