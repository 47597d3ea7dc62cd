const place = 'portcullis-activity'
let ownMark = 0

/**
 * When somebody was last active in any tab, by the clock on the wall: a timer stands still while a computer sleeps. Read from
 * storage at every decision, because a tab that was frozen has heard nothing.
 */
export function lastActivityAt(): number {
  try {
    const kept = Number(localStorage.getItem(place))
    if (Number.isFinite(kept)) return Math.max(kept, ownMark)
  } catch {
    // Without storage this tab knows of itself only.
  }
  return ownMark
}

export function markActivity(now: number) {
  ownMark = now
  try {
    localStorage.setItem(place, String(now))
  } catch {
    // As above.
  }
}
