import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef } from 'react'
import { toast } from '../ui/toasts.ts'
import { text } from '../text/text.ts'
import { actingInside } from '../session/acting-inside.ts'
import { forgetUnseen } from '../session/forget-unseen.ts'
import type { Session } from '../session/session-context.tsx'

type Known = { session: Session; isRefused: boolean }

/**
 * Follows what the person may do in the account that they are in: when it is something else than a moment ago, what they may no
 * longer see is let go, the gate of their screen is asked once more, and one sentence says why things have moved. Menus and
 * buttons follow by themselves. `isRefused`: there is no way into the account any more; they land in another one, or in none.
 */
export function useFollowedRights({ session, isRefused }: Known) {
  const { account } = session
  const router = useRouter()
  const queryClient = useQueryClient()
  const rights = JSON.stringify(session.rules)
  const known = useRef({ ref: account.ref, rights })
  const lost = useRef<string>(undefined)
  // Whoever acts inside goes back by themselves, and is told so.
  const isLost = isRefused && actingInside() === undefined
  const said = useRef<() => void>(undefined)
  const say = (sentence: string) => {
    said.current?.()
    said.current = toast({ text: sentence, tone: 'note' })
  }
  const follow = useEffectEvent(() => {
    forgetUnseen(queryClient, session)
    say(text('rights.changed'))
    void router.invalidate()
  })
  const tellLost = useEffectEvent(() => {
    // It is asked more than once until they are led away.
    if (lost.current === account.ref) return
    lost.current = account.ref
    say(text('rights.lost', { account: account.name }))
    void router.invalidate()
  })

  useEffect(() => {
    const before = known.current
    known.current = { ref: account.ref, rights }
    if (before.ref !== account.ref) lost.current = undefined
    else if (before.rights !== rights) follow()
  }, [account.ref, rights])

  useEffect(() => {
    if (isLost) tellLost()
  }, [isLost])
}
