import { viewerZone } from '../time/time-text.ts'
import { client } from '../session/client.ts'
import { language } from '../text/language.ts'
import { useAccount } from '../session/session-context.tsx'
import { doorColumns } from './access-columns.tsx'
import { AccessList } from './access-list.tsx'
import type { AccessView, Room } from './access-toolbar.tsx'
import { shortDoorColumns } from './short-columns.tsx'
import { useUserAccess } from './use-access-list.ts'

type Props = {
  user: string
  view: AccessView
  onChange: (changes: Partial<AccessView>) => void
  room: Room
}

/** The doors that this user can open. */
export function UserAccessList({ user, view, onChange, room }: Props) {
  const { _id: account } = useAccount()
  const { search, can, page, size } = view
  const list = useUserAccess(user, { can, page, size, ...(search ? { search } : {}) })
  return (
    <AccessList
      of="doors"
      room={room}
      list={list}
      nameOf={(data) => data.user.name}
      columns={(data) => (room === 'drawer' ? shortDoorColumns(data) : doorColumns(data, { account }))}
      view={view}
      onChange={onChange}
      fetchFile={(format) =>
        client.explorer.exportUserAccess(user, {
          format,
          can,
          language,
          timeZone: viewerZone,
          ...(search ? { search } : {}),
        })
      }
    />
  )
}
