import { client } from '../session/client.ts'

/** The server hears of activity at most so often (design §2). */
const leastPauseMs = 30_000
const place = 'portcullis-activity-told'

let isUntold = false
let ownToldAt = 0

/** Somebody was active in this tab: the server is told now, or as soon as it may be told again. */
export function reportActivity(now: number) {
  isUntold = true
  reportWhatIsUntold(now)
}

/** What was held back is told later, so that the server never counts from an earlier moment than the warning does. */
export function reportWhatIsUntold(now: number) {
  if (!isUntold || Math.abs(now - toldAt()) < leastPauseMs) return
  isUntold = false
  setToldAt(now)
  client.activity().catch(() => {
    isUntold = true
  })
}

function toldAt() {
  try {
    return Math.max(ownToldAt, Number(localStorage.getItem(place)) || 0)
  } catch {
    return ownToldAt
  }
}

function setToldAt(now: number) {
  ownToldAt = now
  try {
    localStorage.setItem(place, String(now))
  } catch {
    // This tab keeps count for itself.
  }
}
