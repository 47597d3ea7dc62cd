import { Button } from '@mantine/core'
import { isNotFound } from '@portcullis/client/api-error'
import type { OwnSession } from '@portcullis/contract/calls/own-sessions'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { IconDeviceDesktop, IconDeviceMobile, IconTerminal2 } from '@tabler/icons-react'
import { TextWith } from '../ui/text-with.tsx'
import { Time } from '../time/time.tsx'
import { toast } from '../ui/toasts.ts'
import { client } from '../session/client.ts'
import { failureText } from '../session/failure-text.ts'
import { text } from '../text/text.ts'
import { addressInWords, deviceInWords, kindOfDevice } from './device-in-words.ts'
import { ownSessionsQuery } from './own-queries.ts'
import styles from './settings-rows.module.css'

const icons = { computer: IconDeviceDesktop, telephone: IconDeviceMobile, program: IconTerminal2 } as const

/** Each session with its device, address and times; any but this one can be ended here. */
export function SessionList({ sessions }: { sessions: readonly OwnSession[] }) {
  const list = useRef<HTMLUListElement>(null)
  const queryClient = useQueryClient()
  const end = useMutation({
    mutationFn: async ({ _id }: OwnSession) => {
      try {
        await client.sessions.end(_id)
      } catch (error) {
        // It has already ended by itself.
        if (!isNotFound(error)) throw error
      }
    },
    onSuccess(_, { device }) {
      toast({ text: text('settings.sessions.ended', { device: deviceInWords(device) }) })
      // The button disappears with its row.
      list.current?.focus()
      return queryClient.invalidateQueries(ownSessionsQuery)
    },
  })
  return (
    <>
      <ul ref={list} tabIndex={-1} className={styles.rows} aria-label={text('settings.sessions.list')}>
        {sessions.map((session) => (
          <li key={session._id}>
            <DeviceIcon device={session.device} />
            <Words session={session} />
            {!session.current && (
              <Button
                size="xs"
                variant="default"
                loading={end.isPending && end.variables._id === session._id}
                aria-label={text('settings.sessions.endOne', {
                  device: deviceInWords(session.device),
                  address: addressInWords(session.address),
                })}
                onClick={() => end.mutate(session)}
              >
                {text('settings.sessions.end')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <p role="alert" className="refusal">
        {end.error ? failureText(end.error) : ''}
      </p>
    </>
  )
}

function Words({ session }: { session: OwnSession }) {
  const { current, device, address, signedInAt, lastActivityAt } = session
  return (
    <div className={styles.main}>
      <b>{deviceInWords(device)}</b>
      {current && <span className={styles.mark}>{text('settings.sessions.here')}</span>}
      <span className={styles.facts}>
        <span>{addressInWords(address)}</span>
        <span>
          <TextWith of="settings.sessions.since" values={{ time: <Time at={signedInAt} /> }} />
        </span>
        <span>
          <TextWith of="settings.sessions.lastActive" values={{ time: <Time at={lastActivityAt} as="relative" /> }} />
        </span>
      </span>
    </div>
  )
}

/** Decorative: the device is also named in words. */
function DeviceIcon({ device }: { device: string | null }) {
  const Icon = icons[kindOfDevice(device)]
  return <Icon className={styles.icon} size={20} stroke={1.6} aria-hidden="true" />
}
