const place = 'portcullis-activity'
let ownMark = 0

/**
 * When the user was last active in any tab, by the wall clock: a timer stops while a computer sleeps. Read from
 * storage at every decision, because a suspended tab received no messages.
 */
export function lastActivityAt(): number {
  try {
    const stored = Number(localStorage.getItem(place))
    if (Number.isFinite(stored)) return Math.max(stored, ownMark)
  } catch {
    // Without storage this tab knows only its own activity.
  }
  return ownMark
}

export function markActivity(now: number) {
  ownMark = now
  try {
    localStorage.setItem(place, String(now))
  } catch {
    // As above, without storage.
  }
}
