import { MantineProvider } from '@mantine/core'
import { cleanup, render } from '@testing-library/react'
import type { Time as TimeType } from './time.tsx'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'

afterEach(cleanup)

// The viewer's zone is read once, when the modules load.
let Time: typeof TimeType
beforeAll(async () => {
  vi.stubEnv('TZ', 'America/New_York')
  ;({ Time } = await import('./time.tsx'))
})

const at = '2026-11-20T21:59:00.000Z'

test('§4 lists: the time at a site is shown after the viewer’s, with its zone, and named for screen readers', () => {
  expect(shown({ zone: 'Africa/Johannesburg', at })).toBe('16:59:00 · 23:59 UTC+2|23:59 UTC+2 at the site')
  expect(shown({ zone: 'Europe/London', at })).toBe('16:59:00 · 21:59 GMT|21:59 GMT at the site')
})

test('§4 lists: the time at a site has its weekday where it is another day there', () => {
  expect(shown({ zone: 'Asia/Tokyo', at })).toContain('· Sat 06:59 UTC+9|')
})

test('§4 lists: after how long ago, the time at a site has its day unless it is today there', () => {
  const old = '2026-01-05T21:59:00.000Z'
  expect(shown({ zone: 'Asia/Tokyo', at: old, as: 'relative' })).toContain('· 6 Jan 06:59 UTC+9|')
  const twoDaysAgo = new Date(Date.now() - 48 * 3_600_000).toISOString()
  expect(shown({ zone: 'Asia/Tokyo', at: twoDaysAgo, as: 'relative' })).toMatch(/· [A-Z][a-z]{2} \d\d:\d\d UTC\+9\|/)
  const now = new Date().toISOString()
  expect(shown({ zone: 'Asia/Tokyo', at: now, as: 'relative' })).toMatch(/^just now · \d\d:\d\d UTC\+9\|/)
})

test('§4 lists: nothing is added where the clocks agree, or the zone is unknown', () => {
  expect(shown({ zone: 'America/Toronto', at })).toBe('16:59:00')
  expect(shown({ zone: 'America/New_York', at })).toBe('16:59:00')
  expect(shown({ zone: null, at })).toBe('16:59:00')
  expect(shown({ zone: 'Asia/Tokyo', at, siteTime: 'onHover' })).toBe('16:59:00')
})

/** Without the date of the viewer's time; the words for screen readers after a bar. */
function shown(props: Parameters<typeof Time>[0]) {
  cleanup()
  const { container } = render(
    <MantineProvider env="test">
      <p>
        <Time {...props} />
      </p>
    </MantineProvider>,
  )
  const line = container.querySelector('p')
  const spoken = line?.querySelector('[aria-hidden] + span')?.textContent
  const all = (line?.textContent ?? '').replace(/^\d+ \w+( \d+)?, /, '')
  return spoken ? `${all.slice(0, -spoken.length)}|${spoken}` : all
}
