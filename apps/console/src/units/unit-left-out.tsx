import type { LeftOut } from '@portcullis/contract/calls/left-out'
import type { EntityOf } from '@portcullis/contract/collection'
import { doors } from '@portcullis/contract/collections/doors'
import { units } from '@portcullis/contract/collections/units'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { leftOutKey } from '../item/keys.ts'
import { reachOf } from '../item/reach-of.ts'
import { useFieldOf } from '../item/use-field-of.ts'
import { client } from '../session/client.ts'
import { useAccount } from '../session/session-context.tsx'
import { listOf } from '../text/catalogue.ts'
import { text } from '../text/text.ts'
import { ErrorNotice } from '../ui/list-notice.tsx'
import { SkeletonRows } from '../ui/skeleton-rows.tsx'
import { TextWith } from '../ui/text-with.tsx'
import { Cardholders } from './cardholders.tsx'
import { DoorLink } from './door-link.tsx'
import { fillingsOf } from './unit-capacity.ts'
import styles from './unit-difference.module.css'

/** The cardholders, doors and schedules for which a controller has no room. */
export function UnitLeftOut({ unit }: { unit: EntityOf<typeof units> }) {
  const { ref } = useAccount()
  const { _id, desiredVersion, appliedVersion, capacity, configSize } = unit
  const { data, error, refetch } = useQuery({
    queryKey: [...leftOutKey({ accountRef: ref, unit: _id }), desiredVersion, capacity, configSize],
    queryFn: ({ signal }) => client.leftOut(_id, { signal, ...reachOf(units) }),
    placeholderData: keepPreviousData,
  })

  function content() {
    if (data) return <Items of={data} fits={fillingsOf(unit).every(({ state }) => state !== 'too_much')} />
    return error ? <ErrorNotice error={error} onRetry={() => void refetch()} /> : <SkeletonRows count={3} />
  }

  return (
    <section className={styles.difference} aria-labelledby="left-out">
      <h2 id="left-out">{text('leftOut.title')}</h2>
      {desiredVersion !== null && desiredVersion !== appliedVersion && (
        <p>{text('leftOut.later', { version: desiredVersion })}</p>
      )}
      {content()}
    </section>
  )
}

function Items({ of: { cardholders, incomplete, doors, schedules }, fits }: { of: LeftOut; fits: boolean }) {
  const isEmpty = cardholders.total + doors.length + schedules.length === 0
  if (isEmpty) return <p>{text(fits ? 'leftOut.fits' : 'leftOut.checking')}</p>
  return (
    <>
      <p>{text('leftOut.hint')}</p>
      <Cardholders
        title={text('leftOut.cardholders', { count: cardholders.total })}
        hint={text('leftOut.cardholdersHint')}
        {...cardholders}
      />
      {incomplete.length > 0 && (
        <ul className={styles.doors}>
          {incomplete.map(({ _id, name, cardholders: count }) => (
            <li key={_id}>{text('leftOut.atDoor', { name, count })}</li>
          ))}
        </ul>
      )}
      {doors.length > 0 && (
        <>
          <p>
            <TextWith of="leftOut.doors" values={{ names: <DoorLinks of={doors} /> }} />
          </p>
          <p className="soft">{text('leftOut.doorsHint')}</p>
        </>
      )}
      {schedules.length > 0 && (
        <>
          <p>{text('leftOut.schedules', { names: listOf(schedules.map(({ name }) => name)) })}</p>
          <p className="soft">{text('leftOut.schedulesHint')}</p>
        </>
      )}
    </>
  )
}

function DoorLinks({ of }: { of: LeftOut['doors'] }) {
  return of.map((door, index) => (
    <Fragment key={door._id}>
      {index > 0 && ', '}
      <LeftOutDoor door={door} />
    </Fragment>
  ))
}

function LeftOutDoor({ door }: { door: LeftOut['doors'][number] }) {
  const site = useFieldOf(doors, { id: door._id, field: 'site' })
  return <DoorLink door={{ ...door, site }} />
}
