/** How long before the end somebody is warned (specification §9). */
export const warningMs = 60_000

export type IdleState = { is: 'active' } | { is: 'warned'; secondsLeft: number } | { is: 'over' }

type Asked = { lastActivityAt: number; idleTimeS: number; now: number }

/** Where somebody stands who was active last at a moment: a matter of two moments, so that sleep and slow timers change nothing. */
export function idleState({ lastActivityAt, idleTimeS, now }: Asked): IdleState {
  const untilWarningMs = lastActivityAt + idleTimeS * 1_000 - now
  if (untilWarningMs > 0) return { is: 'active' }
  const leftMs = untilWarningMs + warningMs
  return leftMs > 0 ? { is: 'warned', secondsLeft: Math.ceil(leftMs / 1_000) } : { is: 'over' }
}
