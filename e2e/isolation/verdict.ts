import type { BystanderReport } from './bystander.ts'
import type { Probed } from './live-figures.ts'

type Memory = { resident: number; heap: number }

export type Row = {
  name: string
  sends: string
  happened: string
  faults: readonly string[]
  probed: Probed
  /** Of the time in which the server had work, the share in which other programs left it a processor. */
  processorShare: number
  report: BystanderReport
  memory: Memory
  verdict: 'held' | 'held, machine busy' | 'FAILED'
}

/** The effects that an attack may have on others. */
export const goals = {
  liveP99Ms: 50,
  bystanderMs: 5_000,
  growthBytes: 48 * 1024 * 1024,
} as const

/**
 * Adds the effects on others to the faults. On a machine that other programs use, no server is faster than its share of
 * the processors allows: the limits grow by that share, and `/health/live` may take twice as long as the bare server.
 */
export function verdictOf(seen: Omit<Row, 'verdict'>, baseline: Memory): Row {
  const { probed, processorShare, report, memory } = seen
  const limitMs = Math.max(goals.liveP99Ms / processorShare, 2 * probed.bare.p99)
  const patienceMs = goals.bystanderMs / processorShare
  const slow = Object.entries(report.figures).filter(([, { max }]) => max > patienceMs)
  const idle = Object.entries(report.figures).filter(([, { count }]) => count === 0)
  const growth = memory.heap - baseline.heap
  const faults = [
    ...seen.faults,
    ...(probed.failed > 0 ? [`/health/live failed ${probed.failed} times`] : []),
    ...(probed.live.p99 > limitMs ? [`/health/live p99 ${ms(probed.live.p99)}, limit ${ms(limitMs)}`] : []),
    ...report.failures.slice(0, 3).map((failure) => `bystander could not ${failure}`),
    ...slow.map(([work, { max }]) => `bystander: ${work} took ${ms(max)}`),
    ...idle.map(([work]) => `bystander: ${work} never finished`),
    ...(growth > goals.growthBytes ? [`memory grew by ${megabytes(growth)} and stayed`] : []),
  ]
  return { ...seen, faults, verdict: word(faults, probed.live.p99) }
}

function word(faults: readonly string[], p99: number): Row['verdict'] {
  if (faults.length > 0) return 'FAILED'
  return p99 > goals.liveP99Ms ? 'held, machine busy' : 'held'
}

export function ms(time: number) {
  return `${time < 10 ? time.toFixed(1) : Math.round(time)} ms`
}

export function megabytes(bytes: number) {
  return `${Math.round(bytes / 1024 / 1024)} MB`
}
