import { useActingInside } from '../session/acting-inside.ts'
import { useSession } from '../session/session-context.tsx'

/** Whether the person may act inside the accounts below this one: hyper users, and not from within another already. */
export function useMayActInside() {
  const { user } = useSession()
  return useActingInside() === undefined && user.hyper
}
