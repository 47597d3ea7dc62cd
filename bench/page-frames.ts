import type { Page } from '@playwright/test'

/** In milliseconds: each frame, and each task over 50 ms. */
export type Frames = { frames: number[]; longTasks: number[] }

/** The frames and long tasks of a page during some work. */
export async function framesOf(page: Page, work: () => Promise<unknown>): Promise<Frames> {
  await page.bringToFront()
  await page.evaluate(begin)
  await work()
  return page.evaluate(end)
}

/** Runs in the page. */
function begin() {
  performance.clearMarks()
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) performance.mark('long task', { detail: duration })
  }).observe({ type: 'longtask' })
  const frame = () => {
    performance.mark('frame')
    if (performance.getEntriesByName('end').length === 0) requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)
}

/** Runs in the page, until its last frame. */
async function end() {
  performance.mark('end')
  const { promise, resolve } = Promise.withResolvers<number>()
  requestAnimationFrame(resolve)
  await promise
  const at = performance.getEntriesByName('frame').map(({ startTime }) => startTime)
  return {
    frames: at.slice(1).map((time, index) => time - (at[index] ?? time)),
    longTasks: performance
      .getEntriesByName('long task')
      .map((mark) => ('detail' in mark && typeof mark.detail === 'number' ? mark.detail : 0)),
  }
}

const works = ['TaskDuration', 'ScriptDuration', 'RecalcStyleDuration', 'LayoutDuration'] as const

/**
 * The processor time of the page's main thread from now on, in milliseconds of each second. Other programs do not lengthen it.
 */
export async function workOf(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const read = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return new Map(metrics.map(({ name, value }) => [name, value]))
  }
  const [before, began] = [await read(), performance.now()]
  return async () => {
    const after = await read()
    const forS = (performance.now() - began) / 1_000
    const [all, scripts, styles, layout] = works.map(
      (name) => (1_000 * ((after.get(name) ?? 0) - (before.get(name) ?? 0))) / forS,
    )
    return { all, scripts, styles, layout }
  }
}

/** Paces events. */
export function until(at: number) {
  const { promise, resolve } = Promise.withResolvers<void>()
  setTimeout(resolve, Math.max(0, at - performance.now()))
  return promise
}
