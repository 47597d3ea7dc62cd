// Messages between tabs of the console: activity, the end of the session, the screen lock, and a sign-in.
export type Said = { kind: 'activity' | 'over' | 'locked' } | { kind: 'signed_in'; user: string }

const channel = new BroadcastChannel('portcullis-session')

let signedInLast: string | undefined
let isOtherSession = false
onTabMessage((words) => {
  remember(words)
  if (words.kind === 'signed_in') isOtherSession = true
})

export function postToTabs(words: Said) {
  remember(words)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin
  channel.postMessage(words)
}

/** The latest sign-in in any tab since this page was loaded: it may have happened while a screen was loading. */
export function lastSignedIn() {
  return signedInLast
}

/**
 * Whether a user has signed in in another tab, so that the browser holds that session now. Requests of this page that were
 * sent before may still be answered without a session: only a page that is loaded again is free of that.
 */
export function isSignedInElsewhere() {
  return isOtherSession
}

export function forgetSignedInElsewhere() {
  isOtherSession = false
}

/** Listens to other tabs; returns a function that stops it. */
export function onTabMessage(handler: (words: Said) => void) {
  function onMessage({ data }: MessageEvent<unknown>) {
    if (isSaid(data)) handler(data)
  }
  channel.addEventListener('message', onMessage)
  return () => channel.removeEventListener('message', onMessage)
}

function remember(words: Said) {
  if (words.kind === 'signed_in') signedInLast = words.user
}

// Checked by hand: the sign-in page listens too, and has no room for the schema library.
function isSaid(data: unknown): data is Said {
  if (typeof data !== 'object' || data === null) return false
  const { kind, user }: { kind?: unknown; user?: unknown } = data
  if (kind === 'signed_in') return typeof user === 'string'
  return kind === 'activity' || kind === 'over' || kind === 'locked'
}
