import { expect, onTestFinished, test, vi } from 'vitest'
import { plain } from '../text/phrase.ts'
import { ruleSummary, type RuleSummaryInput } from './rule-summary.ts'

const evenings = [{ days: [1, 2, 3, 4, 5], start: '18:00', end: '23:00' }]
const rule: RuleSummaryInput = {
  who: ['Cleaners', "Siobhán O'Reilly"],
  where: ['Loading bays'],
  effect: 'allow',
  direction: 'both',
  windows: evenings,
  adhoc: undefined,
}

test.each([
  [{}, "Cleaners and Siobhán O'Reilly may open Loading bays on weekdays 18:00 to 23:00."],
  [{ windows: undefined }, "Cleaners and Siobhán O'Reilly may open Loading bays at any time."],
  [{ who: ['A', 'B', 'C'], windows: undefined }, 'A, B and C may open Loading bays at any time.'],
  [
    { effect: 'deny', who: ['Contractors'], where: ['Freezer 4'], windows: undefined },
    'Contractors may not open Freezer 4 at any time, whatever other rules say.',
  ],
  [
    { direction: 'entry', windows: [{ days: [1, 2, 3, 4], start: '22:00', end: '06:00' }] },
    "Cleaners and Siobhán O'Reilly may open Loading bays going in on Mon to Thu 22:00 to 06:00 next day.",
  ],
  [
    { windows: undefined, adhoc: { from: '20 Nov, 08:00', until: '20 Nov, 19:30' } },
    "Cleaners and Siobhán O'Reilly may open Loading bays, from 20 Nov, 08:00 until 20 Nov, 19:30 only.",
  ],
  [{ windows: [] }, "Cleaners and Siobhán O'Reilly may open Loading bays, but never: the schedule has no hours."],
  [{ who: [] }, 'Select users and doors.'],
] satisfies [Partial<RuleSummaryInput>, string][])('a rule is summarised in a sentence', (changes, sentence) => {
  expect(plain(ruleSummary({ ...rule, ...changes }))).toBe(sentence)
})

test('names are joined as the language does: in Spanish the last "and" follows the sound of the next name', async () => {
  vi.resetModules()
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['es-MX'])
  // Test files share their modules.
  onTestFinished(() => {
    vi.restoreAllMocks()
    vi.resetModules()
  })
  await (await import('../text/translation.ts')).loadTranslation()
  const spanish = await import('./rule-summary.ts')
  expect(plain(spanish.ruleSummary({ ...rule, who: ['Ana', 'Olga', 'Inés'], windows: undefined }))).toMatch(
    /^Ana, Olga e Inés: /,
  )
})
