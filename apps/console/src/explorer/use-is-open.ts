import { useCan } from '../session/session-context.tsx'

/** The explorer tells of rules, doors and people: it is open to who may view all three. */
export function useIsOpen() {
  const seesRules = useCan('view', 'Access Control')
  const seesDoors = useCan('view', 'Sites')
  const seesPeople = useCan('view', 'Users')
  return seesRules && seesDoors && seesPeople
}
