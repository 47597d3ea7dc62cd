import { useActingInside } from '../session/acting-inside.ts'
import { useSession } from '../session/session-context.tsx'

/** Whether the user may act inside the accounts below this one: hyper users, unless they already act inside another. */
export function useMayActInside() {
  const { user } = useSession()
  return useActingInside() === undefined && user.hyper
}
