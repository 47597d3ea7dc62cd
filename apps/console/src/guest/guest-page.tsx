import { Button, Loader } from '@mantine/core'
import { guestClient } from '@portcullis/client/guest-client'
import { createHttp } from '@portcullis/client/http'
import type { GuestAccess } from '@portcullis/contract/calls/guests'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { AuthenticationCard } from '../sign-in/authentication-card.tsx'
import { text as signInText } from '../text/sign-in-text.ts'
import { locale } from '../text/language.ts'
import { GuestDoorRow } from './guest-door-row.tsx'
import { guestFailure } from './guest-failure.ts'
import styles from './guest-page.module.css'
import { text } from './guest-words.ts'

const http = createHttp({ baseUrl: '', account: () => null })

/** The page of a guest's link. Its secret is in the fragment, which no browser sends: only the calls do, in their body. */
export function GuestPage() {
  const token = useLocation({ select: ({ hash }) => hash })
  const guest = guestClient(http, token)
  const queries = useQueryClient()
  const key = ['guest', token]
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: guest.access,
    refetchInterval: ({ state }) => intervalFor(state.data),
    retry: false,
  })

  async function open(door: string) {
    const { refused, access } = await guest.open(door)
    queries.setQueryData(key, access)
    return refused
  }

  return (
    <AuthenticationCard
      title={text('guest.title')}
      heading={data?.access ? text('guest.hello', { name: data.access.guest }) : text('guest.title')}
    >
      {data === undefined && !error && (
        <div className={styles.waiting} role="status" aria-label={signInText('loading')}>
          <Loader size="sm" />
        </div>
      )}
      {error && (
        <div className={styles.failure} role="alert">
          <p>{guestFailure(error)}</p>
          <Button variant="default" onClick={() => void refetch()}>
            {signInText('action.retry')}
          </Button>
        </div>
      )}
      {data && <Access shown={data} onOpen={open} />}
    </AuthenticationCard>
  )
}

type AccessProps = { shown: GuestAccess; onOpen: (door: string) => Promise<string | null> }

function Access({ shown: { state, access }, onOpen }: AccessProps) {
  if (access === null) {
    return (
      <div role="status">
        <p className={styles.state} data-state={state}>
          {text(`guest.states.${state}`)}
        </p>
        <p>{text('guest.askAgain')}</p>
      </div>
    )
  }
  const { invitedBy, account, doors } = access
  return (
    <>
      <p className={styles.invited}>{text('guest.invited', { name: invitedBy, account })}</p>
      <p className={styles.state} data-state={state} role="status">
        {text(`guest.states.${state}`)}
      </p>
      {[...new Set(doors.map(({ timeZone }) => timeZone))].map((zone) => (
        <p key={zone}>{hoursIn(access, zone)}</p>
      ))}
      <h2 className={styles.heading}>{text('guest.doors')}</h2>
      {doors.length === 0 ? <p>{text('guest.noDoors')}</p> : <p className={styles.hint}>{text('guest.inFront')}</p>}
      <ul className={styles.doors}>
        {doors.map((door) => (
          <GuestDoorRow key={door._id} door={door} canOpen={state === 'active'} onOpen={onOpen} />
        ))}
      </ul>
    </>
  )
}

/** The hours at a site: those of the viewer may differ. */
function hoursIn({ from, until }: { from: string; until: string }, timeZone: string) {
  const words = new Intl.DateTimeFormat(locale, {
    timeZone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  })
  const place = timeZone.split('/').at(-1)?.replaceAll('_', ' ') ?? timeZone
  return text('guest.hours', { hours: words.formatRange(new Date(from), new Date(until)), place })
}

const soonMs = 1_000
const whileShownMs = 5_000
const laterMs = 30_000

function intervalFor(shown: GuestAccess | undefined) {
  const commands = shown?.access?.doors.flatMap(({ command }) => command ?? []) ?? []
  if (commands.some(({ status }) => status === 'requested' || status === 'sent')) return soonMs
  return commands.length > 0 ? whileShownMs : laterMs
}
