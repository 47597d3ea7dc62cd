import { useCan } from '../session/session-context.tsx'

/** The explorer shows rules, doors and users: it is available to users who may view all three. */
export function useIsOpen() {
  const seesRules = useCan('view', 'Access Control')
  const seesDoors = useCan('view', 'Sites')
  const seesPeople = useCan('view', 'Users')
  return seesRules && seesDoors && seesPeople
}
