type Wanted = {
  modeVersion: number
  appliedModeVersion: number
  modeSetAt: string | null
  modeSentAt: string | null
  modeAppliedAt: string | null
}

/** How far what is wanted of a door has come, and when: never further than the controller has said. */
export function modeSteps(door: Wanted) {
  const { modeVersion, appliedModeVersion, modeSetAt, modeSentAt, modeAppliedAt } = door
  if (modeVersion === appliedModeVersion) return { is: 'confirmed', at: modeAppliedAt, isConfirmed: true } as const
  const wasSent = modeSetAt !== null && modeSentAt !== null && modeSentAt >= modeSetAt
  if (wasSent) return { is: 'sent', at: modeSentAt, isConfirmed: false } as const
  return { is: 'requested', at: modeSetAt, isConfirmed: false } as const
}
