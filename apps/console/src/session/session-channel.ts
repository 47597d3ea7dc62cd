// Messages between tabs of the console: activity, the end of the session, the screen lock, and a sign-in.
export type TabMessage = { kind: 'activity' | 'over' | 'locked' } | { kind: 'signed_in'; user: string }

const channel = new BroadcastChannel('portcullis-session')

let signedInLast: string | undefined
let isOtherSession = false
onTabMessage((message) => {
  remember(message)
  if (message.kind === 'signed_in') isOtherSession = true
})

export function postToTabs(message: TabMessage) {
  remember(message)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin
  channel.postMessage(message)
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
export function onTabMessage(handler: (message: TabMessage) => void) {
  function onMessage({ data }: MessageEvent<unknown>) {
    if (isTabMessage(data)) handler(data)
  }
  channel.addEventListener('message', onMessage)
  return () => channel.removeEventListener('message', onMessage)
}

function remember(message: TabMessage) {
  if (message.kind === 'signed_in') signedInLast = message.user
}

// Checked by hand: the sign-in page listens too, and has no room for the schema library.
function isTabMessage(data: unknown): data is TabMessage {
  if (typeof data !== 'object' || data === null) return false
  const { kind, user }: { kind?: unknown; user?: unknown } = data
  if (kind === 'signed_in') return typeof user === 'string'
  return kind === 'activity' || kind === 'over' || kind === 'locked'
}
