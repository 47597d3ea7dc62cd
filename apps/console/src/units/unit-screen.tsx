import type { EntityOf } from '@portcullis/contract/collection'
import { units } from '@portcullis/contract/collections/units'
import { Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { SkeletonRows } from '../ui/skeleton-rows.tsx'
import { ErrorNotice } from '../ui/list-notice.tsx'
import { Screen } from '../ui/screen.tsx'
import { useItem } from '../item/use-item.ts'
import { useLive } from '../item/use-live.ts'
import { useAccount, useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { UnitDifference } from './unit-difference.tsx'
import { UnitLeftOut } from './unit-left-out.tsx'
import { UnitFacts } from './unit-facts.tsx'
import styles from './unit-screen.module.css'

type Unit = EntityOf<typeof units>

/** One controller: its reports, and what its desired configuration changes; `children` shows what belongs to it. */
export function UnitScreen({ id, children }: { id: string; children: (unit: Unit) => ReactNode }) {
  const { ref } = useAccount()
  const navigate = useNavigate()
  const canManage = useCan('manage', units.subject)
  const unit = useItem(units, id)
  useLive(units)

  if (unit.data === undefined) {
    return (
      <Screen title={text('units.one')}>
        {unit.isError ? <ErrorNotice error={unit.error} onRetry={() => void unit.refetch()} /> : <SkeletonRows />}
      </Screen>
    )
  }
  const list: string = `/${ref}/units/list`
  return (
    <Screen
      title={unit.data.name}
      above={<Link to={list}>{text('units.title')}</Link>}
      actions={
        canManage && (
          <Button variant="default" onClick={() => void navigate({ to: list, search: { open: id } })}>
            {text('unitPage.edit')}
          </Button>
        )
      }
    >
      <div className={styles.columns}>
        <div className={styles.panel}>
          <h2>{text('units.about')}</h2>
          <UnitFacts unit={unit.data} isOnPage />
        </div>
        <UnitDifference unit={unit.data} />
        {unit.data.capacityExceededSince !== null && <UnitLeftOut unit={unit.data} />}
      </div>
      {children(unit.data)}
    </Screen>
  )
}
