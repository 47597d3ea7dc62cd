import { Button, CloseButton, Group, Select } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { EntityOf } from '@portcullis/contract/collection'
import { credentials } from '@portcullis/contract/collections/credentials'
import { credentialStatuses } from '@portcullis/domain/policy'
import { IconPlus } from '@tabler/icons-react'
import { SkeletonRows } from '../ui/skeleton-rows.tsx'
import { ErrorNotice, messageOf } from '../ui/list-notice.tsx'
import { printedText, useCardFormats } from '../cards/use-card-formats.ts'
import { useList } from '../item/use-list.ts'
import { useLive } from '../item/use-live.ts'
import { useRemove } from '../item/use-remove.ts'
import { useSinglePress } from '../ui/use-single-press.ts'
import { usePatch } from '../item/use-save.ts'
import { useAccount, useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { AddCredential } from './add-credential.tsx'
import { NoRoom } from './no-room.tsx'
import { ReplaceCredential } from './replace-credential.tsx'
import { TemporaryCard } from './temporary-card.tsx'
import styles from './user-credentials.module.css'
import { locale } from '../text/language.ts'
import { listOf } from '../text/catalogue.ts'

type Credential = EntityOf<typeof credentials>

const maxShown = 100

/** A user's credentials: each with its status, which takes effect at once. */
export function UserCredentials({ user }: { user: string }) {
  const canManage = useCan('manage', 'Users')
  const [isAdding, adding] = useDisclosure(false)
  const [isLending, lending] = useDisclosure(false)
  const list = useList(credentials, { filter: { user }, size: maxShown })
  useLive(credentials)

  return (
    <section className={styles.section} aria-labelledby="credentials">
      <header>
        <h3 id="credentials">{text('credentials.title')}</h3>
        {canManage && (
          <Group gap={8}>
            <Button variant="default" size="xs" onClick={lending.open}>
              {text('credentials.temporary')}
            </Button>
            <Button
              variant="default"
              size="xs"
              leftSection={<IconPlus size={14} aria-hidden="true" />}
              onClick={adding.open}
            >
              {text('credentials.add')}
            </Button>
          </Group>
        )}
      </header>
      {list.isPending && <SkeletonRows count={2} />}
      {list.isError && <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />}
      {list.data?.items.length === 0 && <p className="soft">{text('credentials.none')}</p>}
      {list.data && list.data.items.length > 0 && (
        <ul>
          {list.data.items.map((credential) => (
            <CredentialLine key={credential._id} credential={credential} canManage={canManage} />
          ))}
        </ul>
      )}
      <NoRoom user={user} />
      {isLending && <TemporaryCard user={user} onClose={lending.close} />}
      {isAdding && <AddCredential user={user} onClose={adding.close} />}
    </section>
  )
}

function CredentialLine({ credential, canManage }: { credential: Credential; canManage: boolean }) {
  const { _id, kind, status, version } = credential
  const number = credential.number ?? text('credentials.hiddenNumber')
  const patch = usePatch(credentials)
  const remove = useRemove(credentials)
  const pressRemove = useSinglePress(() => remove.mutateAsync(_id))
  const [isConfirming, confirmation] = useDisclosure(false)
  const failure = patch.error ?? remove.error
  return (
    <li>
      <span className={styles.what}>
        <b>{number}</b>
        <Details credential={credential} />
      </span>
      <Select
        aria-label={text('credentials.statusOf', { number })}
        allowDeselect={false}
        disabled={!canManage || patch.isPending}
        value={status}
        data={credentialStatuses.map((value) => ({ value, label: text(`credentials.statuses.${value}`) }))}
        onChange={(value) => {
          const next = credentialStatuses.find((each) => each === value)
          if (next && next !== status) patch.mutate({ id: _id, changes: { status: next, version } })
        }}
      />
      {canManage && (
        <CloseButton
          aria-label={text('credentials.remove', { number })}
          disabled={remove.isPending}
          onClick={confirmation.open}
        />
      )}
      {canManage && kind === 'card' && (
        <CardActions
          credential={credential}
          number={number}
          isPending={patch.isPending}
          onReturn={() =>
            patch.mutate({ id: _id, changes: { user: null, validFrom: null, validUntil: null, version } })
          }
        />
      )}
      {isConfirming && (
        <div className={styles.question} role="group">
          <p>{text('credentials.removeQuestion', { number })}</p>
          <Group gap={8}>
            <Button size="xs" variant="default" onClick={confirmation.close}>
              {text('action.cancel')}
            </Button>
            <Button size="xs" color="no" loading={remove.isPending || remove.isSuccess} onClick={pressRemove}>
              {text('credentials.removeNow')}
            </Button>
          </Group>
        </div>
      )}
      {failure && (
        <p role="alert" className="refusal">
          {messageOf(failure)}
        </p>
      )}
    </li>
  )
}

type CardActionsProps = { credential: Credential; number: string; isPending: boolean; onReturn: () => void }

/** Replaces a card, or takes it back, after which it is a free one. */
function CardActions({ credential, number, isPending, onReturn }: CardActionsProps) {
  const [isReplacing, replacing] = useDisclosure(false)
  const { _id, status } = credential
  const isReplaceable = (status === 'active' || status === 'suspended') && !isOver(credential)
  return (
    <>
      <Group gap={8} className={styles.actions}>
        {isReplaceable && (
          <Button size="xs" variant="subtle" onClick={replacing.open}>
            {text('credentials.replace', { number })}
          </Button>
        )}
        {status === 'active' && (
          <Button size="xs" variant="subtle" disabled={isPending} onClick={onReturn}>
            {text('credentials.return', { number })}
          </Button>
        )}
      </Group>
      {isReplacing && <ReplaceCredential id={_id} number={number} onClose={replacing.close} />}
    </>
  )
}

function isOver({ validUntil }: Pick<Credential, 'validUntil'>) {
  return validUntil !== null && Date.parse(validUntil) <= Date.now()
}

/** The kind, the facility code and number as printed, and the validity. */
function Details({ credential }: { credential: Credential }) {
  const { kind, duress, format, facility, printed, validFrom, validUntil } = credential
  const { defaultTimeZone } = useAccount()
  const known = useCardFormats().find(({ value }) => value === format)
  return (
    <span className="second">
      {listOf([
        text(duress ? 'credentials.duress' : `credentials.kinds.${kind}`),
        ...(known && printed !== null ? [`${printedText({ facility, printed })} (${known.label})`] : []),
        ...validity({ validFrom, validUntil }, defaultTimeZone),
      ])}
    </span>
  )
}

/** Days in the account's time zone, in which they are entered. The last day ends at the midnight that follows it. */
function validity(
  { validFrom: from, validUntil: until }: Pick<Credential, 'validFrom' | 'validUntil'>,
  timeZone: string,
) {
  const day = (ms: number) =>
    new Intl.DateTimeFormat(locale, { timeZone, day: 'numeric', month: 'short', year: 'numeric' }).format(ms)
  const last = until && day(Date.parse(until) - 1)
  return [
    ...(from && Date.parse(from) > Date.now() ? [text('credentials.from', { from: day(Date.parse(from)) })] : []),
    ...(last ? [text(isOver({ validUntil: until }) ? 'credentials.ended' : 'credentials.until', { until: last })] : []),
  ]
}
