import { expect, type Page } from '@playwright/test'
import axe from 'axe-core'

declare global {
  interface Window {
    axe?: typeof axe
  }
}

/** No violation that axe knows of, and nothing wider than the page. */
export async function expectSound(page: Page) {
  expect(await violationsOf(page)).toEqual([])
  const overhang = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(overhang).toBeLessThanOrEqual(0)
}

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const resultTypes = ['violations' as const]

/** What axe holds against a page, or a part of it: where, and by which rule. */
export async function violationsOf(page: Page, { within }: { within?: string } = {}) {
  // Compiling axe takes as long as a run of it: a document that has it keeps it.
  if (!(await page.evaluate(() => window.axe !== undefined))) await page.evaluate(axe.source)
  const violations = await page.evaluate(
    async ({ scope, options }) => (await window.axe?.run(scope ?? document, options))?.violations,
    { scope: within, options: { runOnly: { type: 'tag' as const, values: tags }, resultTypes, preload: false } },
  )
  if (!violations) throw new Error('axe did not run.')
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
}

/**
 * The widths and schemes that a screen must fit: with every run wide and light, narrow and dark; all four by `npm run journeys all`.
 */
export const views = viewsOf({ narrow: 360 })

export function viewsOf({ narrow }: { narrow: number }) {
  const isAll = process.env['PORTCULLIS_VIEWS'] === 'all'
  return [narrow, 1440].flatMap((width) =>
    (['light', 'dark'] as const)
      .filter((colorScheme) => isAll || (colorScheme === 'dark') === (width === narrow))
      .map((colorScheme) => ({ width, colorScheme })),
  )
}

export async function show(page: Page, { width, colorScheme }: (typeof views)[number]) {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.setViewportSize({ width, height: 800 })
}
