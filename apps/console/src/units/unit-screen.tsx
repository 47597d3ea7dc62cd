import type { EntityOf } from '@portcullis/contract/collection'
import { units } from '@portcullis/contract/collections/units'
import { Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { SkeletonRows } from '../ui/skeleton-rows.tsx'
import { ErrorNotice } from '../ui/list-notice.tsx'
import { Screen } from '../ui/screen.tsx'
import { useItem } from '../item/use-item.ts'
import { useLive } from '../item/use-live.ts'
import { useOpenItem } from '../item/use-open-item.ts'
import { DeleteButton } from '../item/delete-button.tsx'
import { useAccount, useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { EnrolUnit } from './enrol-unit.tsx'
import { ReplaceUnit } from './replace-unit.tsx'
import { useMoveUnits } from './unit-actions.tsx'
import { UnitDifference } from './unit-difference.tsx'
import { UnitLeftOut } from './unit-left-out.tsx'
import { UnitDrawer } from './unit-drawer.tsx'
import { UnitFacts } from './unit-facts.tsx'
import { UnitTrust } from './unit-trust.tsx'
import styles from './unit-screen.module.css'

type Unit = EntityOf<typeof units>

/** One controller: its reports, and what its desired configuration changes; `children` shows what belongs to it. */
export function UnitScreen({ id, children }: { id: string; children: (unit: Unit) => ReactNode }) {
  const { ref } = useAccount()
  const navigate = useNavigate()
  const { openId, open, close } = useOpenItem()
  const canManage = useCan('manage', units.subject)
  const unit = useItem(units, id)
  useLive(units)
  const list: string = `/${ref}/units/list`
  const leave = () => void navigate({ to: list })

  if (unit.data === undefined) {
    return (
      <Screen title={text('units.one')}>
        {unit.isError ? <ErrorNotice error={unit.error} onRetry={() => void unit.refetch()} /> : <SkeletonRows />}
      </Screen>
    )
  }
  return (
    <Screen
      title={unit.data.name}
      above={<Link to={list}>{text('units.title')}</Link>}
      actions={canManage && <Actions unit={unit.data} onEdit={() => open(id)} onGone={leave} />}
    >
      <div className={styles.columns}>
        <div className={styles.panel}>
          <h2>{text('units.about')}</h2>
          <UnitFacts unit={unit.data} isOnPage>
            {canManage && <UnitTrust unit={unit.data} isOnPage />}
          </UnitFacts>
        </div>
        <div className={styles.changes}>
          {unit.data.capacityExceededSince !== null && <UnitLeftOut unit={unit.data} />}
          <UnitDifference unit={unit.data} />
        </div>
      </div>
      {children(unit.data)}
      {openId === id && <UnitDrawer item={unit.data} onClose={close} isOnPage />}
    </Screen>
  )
}

type ActionsProps = { unit: Unit; onEdit: () => void; onGone: () => void }

/** What to do first comes first, and deletion last; `onGone` leaves the page of a moved or deleted controller. */
function Actions({ unit, onEdit, onGone }: ActionsProps) {
  const [isMoving, setMoving] = useState(false)
  const move = useMoveUnits()
  return (
    <>
      <EnrolUnit unit={unit} offers="first" />
      <Button variant="default" onClick={onEdit}>
        {text('unitPage.edit')}
      </Button>
      <ReplaceUnit unit={unit} />
      {move && (
        <Button variant="default" onClick={() => setMoving(true)}>
          {text('unitPage.move')}
        </Button>
      )}
      <span className={styles.apart}>
        <DeleteButton of={units} id={unit._id} name={unit.name} onDeleted={onGone} />
      </span>
      {isMoving && move?.dialog({ items: [unit], onCancel: () => setMoving(false), onDone: onGone })}
    </>
  )
}
