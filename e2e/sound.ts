import { expect, type Page } from '@playwright/test'
import axe from 'axe-core'

declare global {
  interface Window {
    axe?: typeof axe
  }
}

/** Expects no axe violations in a page or a part of it, and no horizontal overflow of the page. */
export async function expectSound(page: Page, part: Part = {}) {
  expect(await violationsOf(page, part)).toEqual([])
  const overhang = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(overhang).toBeLessThanOrEqual(0)
}

/** The same for an open page of the console in all views. The last one stays: 1440 px wide. */
export async function expectSoundInAllViews(page: Page) {
  for (const view of views) {
    await show(page, view)
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', view.colorScheme)
    await expectSound(page)
  }
}

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const resultTypes = ['violations' as const]

/** `within` is a selector. */
type Part = { within?: string | undefined }

/** The axe violations of a page or a part of it: each rule with its elements. */
export async function violationsOf(page: Page, { within }: Part = {}) {
  // Loading axe takes as long as running it, so each document loads it once.
  if (!(await page.evaluate(() => window.axe !== undefined))) await page.evaluate(axe.source)
  const violations = await page.evaluate(
    async ({ scope, options }) => (await window.axe?.run(scope ?? document, options))?.violations,
    { scope: within, options: { runOnly: { type: 'tag' as const, values: tags }, resultTypes, preload: false } },
  )
  if (!violations) throw new Error('axe did not run.')
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
}

/**
 * The widths and schemes that a screen must fit: every run tests wide light and narrow dark, `npm run journeys all` all four.
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
