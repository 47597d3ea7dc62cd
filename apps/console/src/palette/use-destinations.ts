import { useSession } from '../session/session-context.tsx'
import { useSections } from '../navigation/use-sections.ts'
import { type Destination, destinationsFor } from './destinations.ts'

/** Every screen and every blank form that is open to whoever is signed in, on this installation. */
export function useDestinations(): Destination[] {
  const session = useSession()
  return destinationsFor({ ...session, sections: useSections() })
}
