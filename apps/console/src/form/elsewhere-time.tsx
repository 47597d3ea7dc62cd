import { useAccount } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { atZone, viewerZone } from '../time/time-text.ts'

/** The same moment on the account's clock, where that differs from the viewer's. */
export function ElsewhereTime({ moment }: { moment: string | null }) {
  const { defaultTimeZone } = useAccount()
  const at = new Date(moment ?? Number.NaN)
  if (Number.isNaN(at.getTime()) || defaultTimeZone === viewerZone) return null
  const own = atZone(at, viewerZone)
  const elsewhere = atZone(at, defaultTimeZone)
  return own.replace(/ \S+$/, '') === elsewhere.replace(/ \S+$/, '')
    ? null
    : text('time.elsewhere', { time: elsewhere })
}
