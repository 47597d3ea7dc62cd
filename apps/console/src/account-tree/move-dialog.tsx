import { Button, Modal } from '@mantine/core'
import type { MovedItems } from '@portcullis/contract/moved-items'
import { accounts } from '@portcullis/contract/collections/accounts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Fragment, useState } from 'react'
import { NamedPeople } from './named-people.tsx'
import { RoleChanges } from './role-changes.tsx'
import { ReferencePicker } from '../form/reference-picker.tsx'
import { useAccount } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { DialogFoot } from '../ui/dialog-foot.tsx'
import { useSinglePress } from '../ui/use-single-press.ts'
import styles from './move-outcome.module.css'

type Props = {
  /** What moves. */
  of: 'units' | 'sites'
  ids: readonly string[]
  title: string
  /** The button that moves. */
  action: string
  /** Where nothing else moves along. */
  alone: string
  hint: string
  move: (request: { toAccount: string; isPreview: boolean }) => Promise<MovedItems>
  onClose: () => void
  onMoved: () => void
}

/** Asks for the account that items move to, and shows what moves along and who loses access, before they move. */
export function MoveDialog({ of, ids, title, action, alone, hint, move, onClose, onMoved }: Props) {
  const { _id: current } = useAccount()
  const [toAccount, setToAccount] = useState<string | null>(null)
  const preview = useQuery({
    queryKey: ['move', of, ids, toAccount],
    queryFn: () => move({ toAccount: toAccount ?? '', isPreview: true }),
    enabled: toAccount !== null,
    retry: false,
    // The preview is the change itself, not an older answer.
    gcTime: 0,
  })
  const moving = useMutation({ mutationFn: () => move({ toAccount: toAccount ?? '', isPreview: false }) })
  const press = useSinglePress(() => moving.mutateAsync(undefined, { onSuccess: onMoved }))
  const isReady = preview.isSuccess && !preview.isFetching

  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      zIndex={400}
      size="lg"
      closeButtonProps={{ 'aria-label': text('action.close') }}
    >
      <ReferencePicker
        of={accounts}
        label={text('units.moveTo')}
        filter={{ _id: { ne: current } }}
        isRequired
        value={toAccount}
        onChange={setToAccount}
        comboboxProps={{ zIndex: 500 }}
      />
      <div className={styles.outcome} aria-live="polite">
        {preview.isFetching && <p className="soft">{text('units.moveAsking')}</p>}
        {isReady && <Outcome of={of} moved={preview.data} alone={alone} hint={hint} />}
      </div>
      <DialogFoot error={moving.error ?? preview.error} onCancel={onClose}>
        <Button
          {...(isReady && endsAccess(preview.data) ? { color: 'no' } : {})}
          disabled={!isReady}
          loading={moving.isPending}
          onClick={press}
        >
          {action}
        </Button>
      </DialogFoot>
    </Modal>
  )
}

type OutcomeProps = Pick<Props, 'of' | 'alone' | 'hint'> & { moved: MovedItems }

function Outcome({ of, moved, alone, hint }: OutcomeProps) {
  const { losesDoors, gainsDoors } = moved
  const lines = linesOf(moved, of)
  return (
    <>
      <section>
        <h3>{text('units.moveWhat')}</h3>
        {(lines.some(({ items = [] }) => items.length > 0) || losesDoors.count + gainsDoors.count > 0) && (
          <p className="soft">{text('units.moveNewTab')}</p>
        )}
        {lines.length === 0 && <p>{alone}</p>}
        <ul className={styles.whole}>
          {lines.map((line) => (
            <OutcomeLine key={line.words} {...line} />
          ))}
        </ul>
      </section>
      <NamedPeople
        title={text('units.moveLosesDoors', { count: losesDoors.count })}
        {...losesDoors}
        wordsOf={personLink}
      />
      <NamedPeople
        title={text('units.moveGainsDoors', { count: gainsDoors.count })}
        {...gainsDoors}
        wordsOf={personLink}
      />
      <RoleChanges of={of} {...moved} />
      <p className="soft">{hint}</p>
    </>
  )
}

function endsAccess({ losesDoors, loses }: MovedItems) {
  return losesDoors.count + loses.count > 0
}

type Item = { _id: string; name: string; path: string; isPage?: boolean }
type Line = { words: string; count: number; items?: readonly Item[] }

/** In a new tab, because leaving the page would close the dialog. */
function ItemLink({ _id, name, path, isPage = false }: Item) {
  const { ref } = useAccount()
  const to: string = isPage ? `/${ref}${path}/${_id}` : `/${ref}${path}`
  return (
    <Link to={to} search={isPage ? {} : { open: _id }} target="_blank">
      <bdi>{name}</bdi>
    </Link>
  )
}

function personLink(person: MovedItems['losesDoors']['people'][number]) {
  return <ItemLink {...person} path="/users/list" />
}

/** One kind of item, with the names of the first ones. */
function OutcomeLine({ words, count, items = [] }: Line) {
  const hidden = count - items.length
  return (
    <li>
      {words}
      {items.length > 0 && (
        <span className="second">
          {items.map((item, index) => (
            <Fragment key={item._id}>
              {index > 0 && ', '}
              <ItemLink {...item} />
            </Fragment>
          ))}
          {hidden > 0 && ` ${text('accounts.more', { count: hidden })}`}
        </span>
      )}
    </li>
  )
}

function asSite(site: MovedItems['names']['sites'][number]): Item {
  return { ...site, path: '/sites', isPage: true }
}

/** What moves, and what it leaves, without the kinds of which there are none. */
function linesOf(moved: MovedItems, of: Props['of']): Line[] {
  const { units, doors, sites, copiedSites, interlocks, floorPlans, names } = moved
  const { leftGroups, leftRules, leftPlans, leftFirstPersons, leftUnlockSchedules } = moved
  const lines: Line[] = [
    {
      count: doors,
      words: text('units.moveDoors', { count: doors }),
      items: names.doors.map((door) => ({ ...door, path: `/sites/${door.site}` })),
    },
    of === 'sites'
      ? { count: units, words: text('sites.moveUnits', { count: units }) }
      : { count: sites, words: text('units.moveSites', { count: sites }), items: names.sites.map(asSite) },
    {
      count: copiedSites,
      words: text('units.moveCopies', { count: copiedSites }),
      items: names.copiedSites.map(asSite),
    },
    { count: interlocks, words: text('units.moveInterlocks', { count: interlocks }) },
    { count: floorPlans, words: text('units.moveFloorPlans', { count: floorPlans }) },
    {
      count: leftGroups,
      words: text('units.moveGroups', { count: leftGroups }),
      items: names.leftGroups.map((group) => ({
        ...group,
        path: group.collection === 'doorGroups' ? '/sites/doorGroups' : '/sites/groups',
      })),
    },
    {
      count: leftRules,
      words: text('units.moveRules', { count: leftRules }),
      items: names.leftRules.map((rule) => ({ ...rule, path: '/rules/list' })),
    },
    {
      count: leftPlans,
      words: text('units.movePlans', { count: leftPlans }),
      items: names.leftPlans.map((plan) => ({ ...plan, path: '/rules/lockdownPlans' })),
    },
    { count: leftFirstPersons, words: text('units.moveFirstPersons', { count: leftFirstPersons }) },
    {
      count: leftUnlockSchedules,
      words: text('units.moveUnlockSchedules', { count: leftUnlockSchedules }),
      items: names.leftUnlockSchedules.map((schedule) => ({ ...schedule, path: '/rules/schedules' })),
    },
  ]
  return lines.filter(({ count }) => count > 0)
}
