import { useSuspenseQuery } from '@tanstack/react-query'
import { configurationQuery } from '../session/configuration-query.ts'
import { useSession } from '../session/session-context.tsx'
import { navigationFor, type Section } from './navigation-entries.ts'

/** The sidebar's sections for the user's rights and the configuration. */
export function useSections(): Section[] {
  const { rules } = useSession()
  const { data } = useSuspenseQuery(configurationQuery)
  return navigationFor(rules, { recertification: data.recertification.enabled })
}
