// What one tab of the console says to the others: somebody was active, the session is over, the screen was locked, or somebody has signed in.
export type Said = { kind: 'activity' | 'over' | 'locked' } | { kind: 'signed_in'; user: string }

const channel = new BroadcastChannel('portcullis-session')

let signedInLast: string | undefined
let isAnew = false
hearTabs((words) => {
  remember(words)
  if (words.kind === 'signed_in') isAnew = true
})

export function tellTabs(words: Said) {
  remember(words)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin
  channel.postMessage(words)
}

/** Who has signed in last, in any tab, since this page was loaded: it may have happened while a screen was on its way. */
export function lastSignedIn() {
  return signedInLast
}

/**
 * Whether somebody has signed in in another tab, so that the browser holds their session now. Whatever this page asked before
 * may still be answered as if nobody were signed in: only a page that is loaded anew is free of that.
 */
export function isSignedInElsewhere() {
  return isAnew
}

export function forgetSignedInElsewhere() {
  isAnew = false
}

/** Hears what other tabs say; answers what stops it. */
export function hearTabs(handler: (words: Said) => void) {
  function hear({ data }: MessageEvent<unknown>) {
    if (isSaid(data)) handler(data)
  }
  channel.addEventListener('message', hear)
  return () => channel.removeEventListener('message', hear)
}

function remember(words: Said) {
  if (words.kind === 'signed_in') signedInLast = words.user
}

// By hand: the sign-in page hears it too, and has no room for the library of schemas.
function isSaid(data: unknown): data is Said {
  if (typeof data !== 'object' || data === null) return false
  const { kind, user }: { kind?: unknown; user?: unknown } = data
  if (kind === 'signed_in') return typeof user === 'string'
  return kind === 'activity' || kind === 'over' || kind === 'locked'
}
