import { Button, Drawer, Popover } from '@mantine/core'
import type { EntityOf } from '@portcullis/contract/collection'
import { lockdownPlans } from '@portcullis/contract/collections/lockdown-plans'
import { IconLock } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type Ref, useState } from 'react'
import { useList } from '../item/use-list.ts'
import { useAccount, useCan } from '../session/session-context.tsx'
import { useSubjects } from '../subjects/use-subjects.ts'
import { listOf } from '../text/catalogue.ts'
import { text } from '../text/text.ts'
import { ErrorNotice, messageOf } from '../ui/list-notice.tsx'
import { SkeletonRows } from '../ui/skeleton-rows.tsx'
import { StateTag } from '../ui/state-tag.tsx'
import { useIsNarrow } from '../ui/use-is-narrow.ts'
import { useSinglePress } from '../ui/use-single-press.ts'
import styles from './lockdown-control.module.css'
import { useActiveLockdowns, useStart } from './use-active-lockdowns.ts'

type Plan = EntityOf<typeof lockdownPlans>

/** In the top bar: one press shows the plans, and a second one locks down the doors of a plan. */
export function LockdownControl() {
  return useCan('manage', lockdownPlans.subject) ? <Control /> : null
}

function Control() {
  const [isOpen, setOpen] = useState(false)
  const isNarrow = useIsNarrow()
  const close = () => setOpen(false)
  if (isNarrow) {
    return (
      <>
        <Opener isOpen={isOpen} onPress={() => setOpen(true)} />
        <Drawer
          opened={isOpen}
          onClose={close}
          position="bottom"
          size="auto"
          title={text('lockdowns.choose')}
          classNames={{ content: styles.sheet }}
          closeButtonProps={{ 'aria-label': text('action.close') }}
        >
          <Plans onLeave={close} />
        </Drawer>
      </>
    )
  }
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" width={420} trapFocus returnFocus shadow="md">
      <Popover.Target>
        <Opener isOpen={isOpen} onPress={() => setOpen(!isOpen)} />
      </Popover.Target>
      <Popover.Dropdown aria-label={text('lockdowns.choose')}>
        <Plans onLeave={close} />
      </Popover.Dropdown>
    </Popover>
  )
}

type OpenerProps = { isOpen: boolean; onPress: () => void; ref?: Ref<HTMLButtonElement> }

function Opener({ isOpen, onPress, ref }: OpenerProps) {
  return (
    <button
      ref={ref}
      type="button"
      className={styles.opener}
      aria-expanded={isOpen}
      aria-haspopup="dialog"
      onClick={onPress}
    >
      <IconLock size={16} aria-hidden="true" />
      <span>{text('lockdowns.open')}</span>
    </button>
  )
}

/** The focus begins at the hint: pressing a key twice does not start a lockdown. */
function Plans({ onLeave }: { onLeave: () => void }) {
  const { ref } = useAccount()
  const { data, error, refetch } = useList(lockdownPlans, { size: 100, sort: { prop: 'name', dir: 'asc' } })
  const active = useActiveLockdowns()
  const start = useStart(onLeave)
  return (
    <div className={styles.plans}>
      <p className="soft" tabIndex={-1} data-autofocus>
        {data?.items.length === 0 ? text('lockdowns.noPlans') : text('lockdowns.chooseHint')}
      </p>
      {!data && (error ? <ErrorNotice error={error} onRetry={() => void refetch()} /> : <SkeletonRows count={2} />)}
      <ul>
        {data?.items.map((plan) => (
          <PlanRow
            key={plan._id}
            plan={plan}
            isActive={active.some((lockdown) => lockdown.plan === plan._id)}
            start={start}
          />
        ))}
      </ul>
      <p role="alert" className="refusal">
        {start.error ? messageOf(start.error) : ''}
      </p>
      <Link to="/$account/rules/lockdownPlans" params={{ account: ref }} onClick={onLeave}>
        {text('lockdowns.plans')}
      </Link>
    </div>
  )
}

type RowProps = { plan: Plan; isActive: boolean; start: ReturnType<typeof useStart> }

function PlanRow({ plan: { _id, name, note, mayPass, endsAfterMinutes }, isActive, start }: RowProps) {
  const { nameOf } = useSubjects(mayPass)
  const press = useSinglePress(() => start.mutateAsync(_id))
  return (
    <li className={styles.plan}>
      <div>
        <b>
          <bdi>{name}</bdi>
        </b>
        <small className="soft">{durationText(endsAfterMinutes)}</small>
        {mayPass.length > 0 && (
          <small className="soft">{mayPassText(mayPass.map((group) => nameOf(group) ?? '…'))}</small>
        )}
        {note && <small className="soft">{note}</small>}
      </div>
      {isActive ? (
        <StateTag state="lockdown" />
      ) : (
        <Button
          color="no"
          aria-label={text('lockdowns.startPlan', { name })}
          loading={start.isPending && start.variables === _id}
          onClick={press}
        >
          {text('lockdowns.start')}
        </Button>
      )}
    </li>
  )
}

function mayPassText(groups: string[]) {
  return text('lockdowns.mayPass', { groups: listOf(groups) })
}

export function durationText(minutes: number | null) {
  return minutes === null ? text('lockdownPlans.untilEnded') : text('lockdownPlans.endsAfter', { count: minutes })
}
