import { useSuspenseQuery } from '@tanstack/react-query'
import { configurationQuery } from '../session/me-query.ts'
import { useSession } from '../session/session-context.tsx'
import { navigationFor, type Section } from './navigation-entries.ts'

/** The sidebar's sections, as the person's rights and the configuration open them. */
export function useSections(): Section[] {
  const { rules } = useSession()
  const { data } = useSuspenseQuery(configurationQuery)
  return navigationFor(rules, { recertification: data.recertification.enabled })
}
