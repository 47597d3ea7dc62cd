import type { UnitDifference as Difference } from '@portcullis/contract/calls/unit-difference'
import type { EntityOf } from '@portcullis/contract/collection'
import { units } from '@portcullis/contract/collections/units'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { reachOf } from '../item/reach-of.ts'
import { client } from '../session/client.ts'
import { useAccount } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { ErrorNotice } from '../ui/list-notice.tsx'
import { SkeletonRows } from '../ui/skeleton-rows.tsx'
import { Cardholders } from './cardholders.tsx'
import { differenceInWords } from './difference-in-words.ts'
import styles from './unit-difference.module.css'

type Props = { unit: EntityOf<typeof units> }

/** What the desired configuration of a controller changes in its applied one, and the cardholders whom this affects. */
export function UnitDifference({ unit }: Props) {
  const { ref } = useAccount()
  const { _id, desiredVersion, appliedVersion, fault, enrolledAt } = unit
  const isInSync = fault === null && desiredVersion !== null && desiredVersion === appliedVersion
  const isCompared = enrolledAt !== null && fault === null && !isInSync
  const { data, error, refetch } = useQuery({
    // The difference of two versions never changes; a change of the unit's versions leads to another one.
    queryKey: ['unit-difference', ref, _id, desiredVersion, appliedVersion],
    queryFn: ({ signal }) => client.unitDifference(_id, { signal, ...reachOf(units) }),
    placeholderData: keepPreviousData,
    enabled: isCompared,
  })

  function content() {
    if (enrolledAt === null) return <p>{text('unitPage.notEnrolled')}</p>
    if (fault !== null) return <p>{text(`units.fault.${fault}`)}</p>
    if (isInSync)
      return <p>{text(unit.capacityExceededSince === null ? 'unitPage.inSync' : 'unitPage.inSyncPartly')}</p>
    if (data) return <Comparison difference={data} isOffline={unit.status !== 'online'} />
    return error ? <ErrorNotice error={error} onRetry={() => void refetch()} /> : <SkeletonRows count={3} />
  }

  return (
    <section className={styles.difference} aria-labelledby="difference">
      <h2 id="difference">{text('unitPage.difference')}</h2>
      {content()}
    </section>
  )
}

function Comparison({ difference, isOffline }: { difference: Difference; isOffline: boolean }) {
  const { comparison, counts, appliedVersion } = difference
  if (comparison === 'not_compiled') return <p>{text('unitPage.notCompiled')}</p>
  if (comparison === 'not_comparable') return <p>{text('unitPage.notComparable')}</p>
  if (comparison === 'too_different') return <p>{text('unitPage.tooDifferent')}</p>
  return (
    <>
      {appliedVersion === null && <p>{text('unitPage.nothingApplied')}</p>}
      <p className={styles.changes}>{counts.length > 0 ? differenceInWords(counts) : text('unitPage.noChanges')}</p>
      {isOffline && appliedVersion !== null && counts.length > 0 && (
        <p className="soft">{text('unitPage.offlineHint')}</p>
      )}
      {(['missing', 'outdated'] as const).map((which) => (
        <Cardholders
          key={which}
          title={text(`unitPage.${which}`, { count: difference[which].total })}
          hint={text(`unitPage.${which}Hint`)}
          {...difference[which]}
        />
      ))}
    </>
  )
}
