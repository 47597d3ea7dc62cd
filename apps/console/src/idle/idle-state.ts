/** How long before the end the user is warned (specification §9). */
export const warningMs = 60_000

export type IdleState = { is: 'active' } | { is: 'warned'; secondsLeft: number } | { is: 'over' }

type IdleStateInput = { lastActivityAt: number; idleTimeS: number; now: number }

/** The state of a user who was last active at a moment: computed from two moments, so that sleep and slow timers change nothing. */
export function idleState({ lastActivityAt, idleTimeS, now }: IdleStateInput): IdleState {
  const untilWarningMs = lastActivityAt + idleTimeS * 1_000 - now
  if (untilWarningMs > 0) return { is: 'active' }
  const leftMs = untilWarningMs + warningMs
  return leftMs > 0 ? { is: 'warned', secondsLeft: Math.ceil(leftMs / 1_000) } : { is: 'over' }
}
