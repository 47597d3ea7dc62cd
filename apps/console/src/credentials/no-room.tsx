import { credentials } from '@portcullis/contract/collections/credentials'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { collectionKey } from '../item/keys.ts'
import { client } from '../session/client.ts'
import { useAccount, useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { TextWith } from '../ui/text-with.tsx'
import styles from './no-room.module.css'

const againMs = 60_000

/** The controllers with no room for some of a user's credentials; nothing for users who may not see controllers. */
export function NoRoom({ user }: { user: string }) {
  const { ref } = useAccount()
  const seesUnits = useCan('view', 'Controllers')
  const seesAccess = useCan('view', 'Access Control')
  const { data } = useQuery({
    queryKey: [...collectionKey(credentials, ref), 'leftOut', user],
    queryFn: ({ signal }) => client.explorer.userLeftOut(user, { signal }),
    enabled: seesUnits && seesAccess,
    // A controller learns of a change of the credentials a moment later.
    refetchInterval: againMs,
  })
  if (!data || data.units.length === 0) return null
  return (
    <div className={styles.places}>
      {data.units.map(({ _id, name, doors }) => (
        <p key={_id}>
          <IconAlertTriangle size={15} aria-hidden="true" />
          <span>
            <TextWith
              of="credentials.noRoomAt"
              values={{ unit: <UnitLink unit={_id} name={name} />, doors: text('credentials.doors', { count: doors }) }}
            />
          </span>
        </p>
      ))}
      <p className="soft">{text('credentials.noRoomHint')}</p>
    </div>
  )
}

function UnitLink({ unit, name }: { unit: string; name: string }) {
  const { ref } = useAccount()
  const to: string = `/${ref}/units/${unit}`
  return (
    <Link to={to}>
      <bdi>{name}</bdi>
    </Link>
  )
}
