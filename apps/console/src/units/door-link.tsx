import { Link } from '@tanstack/react-router'
import { useAccount } from '../session/session-context.tsx'

type Props = { door: { _id: string; name: string; site: string | undefined } }

/** Leads to the door at its site; only its name while its site is unknown. */
export function DoorLink({ door: { _id, name, site } }: Props) {
  const { ref } = useAccount()
  if (site === undefined) return <bdi>{name}</bdi>
  const to: string = `/${ref}/sites/${site}`
  return (
    <Link to={to} search={{ open: _id }}>
      <bdi>{name}</bdi>
    </Link>
  )
}
