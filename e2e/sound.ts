import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** No violation that axe knows of, and nothing wider than the page. */
export async function expectSound(page: Page) {
  expect(await violationsOf(page)).toEqual([])
  const overhang = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(overhang).toBeLessThanOrEqual(0)
}

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** What axe holds against a page, or a part of it: where, and by which rule. */
export async function violationsOf(page: Page, { within }: { within?: string } = {}) {
  const runOnly = { type: 'tag' as const, values: tags }
  // There are no frames in it, for which it would open a page of its own.
  const axe = new AxeBuilder({ page }).setLegacyMode(true)
  if (within !== undefined) axe.include(within)
  const { violations } = await axe.options({ runOnly, resultTypes: ['violations'], preload: false }).analyze()
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
