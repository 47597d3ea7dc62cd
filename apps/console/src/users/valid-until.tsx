import { StateTag } from '../ui/state-tag.tsx'
import { Time } from '../time/time.tsx'
import { text } from '../text/text.ts'
import { useMinute } from '../time/use-minute.ts'

/** Until when something holds; what is over says so. */
export function ValidUntil({ at }: { at: string | null }) {
  const now = useMinute()
  if (at === null) return <span className="soft">{text('users.noEnd')}</span>
  if (Date.parse(at) <= now.getTime()) return <StateTag state="expired" />
  return <Time at={at} />
}
