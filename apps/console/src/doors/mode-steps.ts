type ModeStepsInput = {
  modeVersion: number
  appliedModeVersion: number
  modeSetAt: string | null
  modeSentAt: string | null
  modeAppliedAt: string | null
}

/** The progress of a desired mode, with its time: never ahead of the controller's own report. */
export function modeSteps(door: ModeStepsInput) {
  const { modeVersion, appliedModeVersion, modeSetAt, modeSentAt, modeAppliedAt } = door
  if (modeVersion === appliedModeVersion) return { is: 'confirmed', at: modeAppliedAt, isConfirmed: true } as const
  const wasSent = modeSetAt !== null && modeSentAt !== null && modeSentAt >= modeSetAt
  if (wasSent) return { is: 'sent', at: modeSentAt, isConfirmed: false } as const
  return { is: 'requested', at: modeSetAt, isConfirmed: false } as const
}
