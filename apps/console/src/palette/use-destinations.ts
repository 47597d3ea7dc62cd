import { useSession } from '../session/session-context.tsx'
import { useSections } from '../navigation/use-sections.ts'
import { type Destination, destinationsFor } from './destinations.ts'

/** Every screen and every blank form open to the signed-in user, on this installation. */
export function useDestinations(): Destination[] {
  const session = useSession()
  return destinationsFor({ ...session, sections: useSections() })
}
