import { z } from 'zod'

// What one tab of the console says to the others: somebody was active, the session is over, the screen was locked, or somebody has signed in.
const said = z.union([
  z.object({ kind: z.enum(['activity', 'over', 'locked']) }),
  z.object({ kind: z.literal('signed_in'), user: z.string() }),
])
export type Said = z.output<typeof said>

const channel = new BroadcastChannel('portcullis-session')

let signedInLast: string | undefined
hearTabs(remember)

export function tellTabs(words: Said) {
  remember(words)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin
  channel.postMessage(words)
}

/** Who has signed in last, in any tab, since this page was loaded: it may have happened while a screen was on its way. */
export function lastSignedIn() {
  return signedInLast
}

/** Hears what other tabs say; answers what stops it. */
export function hearTabs(handler: (words: Said) => void) {
  function hear({ data }: MessageEvent<unknown>) {
    const heard = said.safeParse(data)
    if (heard.success) handler(heard.data)
  }
  channel.addEventListener('message', hear)
  return () => channel.removeEventListener('message', hear)
}

function remember(words: Said) {
  if (words.kind === 'signed_in') signedInLast = words.user
}
