import { Button, CloseButton, Group, Modal, Select, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { EntityOf } from '@portcullis/contract/collection'
import { credentialKinds, credentials } from '@portcullis/contract/collections/credentials'
import { credentialStatuses } from '@portcullis/domain/policy'
import { IconPlus } from '@tabler/icons-react'
import { SkeletonRows } from '../ui/skeleton-rows.tsx'
import { ErrorNotice, messageOf } from '../ui/list-notice.tsx'
import { useList } from '../item/use-list.ts'
import { useLive } from '../item/use-live.ts'
import { useRemove } from '../item/use-remove.ts'
import { useSinglePress } from '../ui/use-single-press.ts'
import { usePatch } from '../item/use-save.ts'
import { useAccount, useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { NoRoom } from './no-room.tsx'
import styles from './user-credentials.module.css'
import type { SubmitEvent } from 'react'
import { ChoiceField, SwitchField, TextField } from '../form/fields.tsx'
import { RoomNotice } from '../form/room-notice.tsx'
import { useItemForm } from '../form/use-item-form.ts'
import { MomentField } from '../form/moment-field.tsx'
import { locale } from '../text/language.ts'
import { listOf } from '../text/catalogue.ts'

type Credential = EntityOf<typeof credentials>

const maxShown = 100

/** A user's credentials: each with its status, which takes effect at once. */
export function UserCredentials({ user }: { user: string }) {
  const canManage = useCan('manage', 'Users')
  const [isAdding, adding] = useDisclosure(false)
  const list = useList(credentials, { filter: { user }, size: maxShown })
  useLive(credentials)

  return (
    <section className={styles.section} aria-labelledby="credentials">
      <header>
        <h3 id="credentials">{text('credentials.title')}</h3>
        {canManage && (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={14} aria-hidden="true" />}
            onClick={adding.open}
          >
            {text('credentials.add')}
          </Button>
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
      {isAdding && <AddCredential user={user} onClose={adding.close} />}
    </section>
  )
}

function CredentialLine({ credential, canManage }: { credential: Credential; canManage: boolean }) {
  const { _id, kind, duress, status, validFrom, validUntil, version } = credential
  const { defaultTimeZone } = useAccount()
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
        <span className="second">
          {listOf([
            text(duress ? 'credentials.duress' : `credentials.kinds.${kind}`),
            ...validity({ validFrom, validUntil }, defaultTimeZone),
          ])}
        </span>
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

/** Days in the account's time zone, in which they are entered. */
function validity(
  { validFrom: from, validUntil: until }: Pick<Credential, 'validFrom' | 'validUntil'>,
  timeZone: string,
) {
  const day = (iso: string) =>
    new Intl.DateTimeFormat(locale, { timeZone, day: 'numeric', month: 'short', year: 'numeric' }).format(new Date(iso))
  return [
    ...(from && Date.parse(from) > Date.now() ? [text('credentials.from', { from: day(from) })] : []),
    ...(until ? [text('credentials.until', { until: day(until) })] : []),
  ]
}

/** Adds a credential to a user. */
function AddCredential({ user, onClose }: { user: string; onClose: () => void }) {
  const form = useItemForm({
    of: credentials,
    item: undefined,
    initial: { user },
    onSaved: onClose,
  })

  function submit(event: SubmitEvent) {
    event.preventDefault()
    // It is inside the user's form in React's tree, though not in the page.
    event.stopPropagation()
    void form.submit()
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={text('credentials.add')}
      zIndex={300}
      closeButtonProps={{ 'aria-label': text('action.close') }}
    >
      <form onSubmit={submit} noValidate>
        <Stack gap={16}>
          <ChoiceField
            field={form.field('kind')}
            choices={credentialKinds.map((value) => ({ value, label: text(`credentials.kinds.${value}`) }))}
          />
          <TextField field={form.field('number')} />
          {form.values.kind === 'pin' && <SwitchField field={form.field('duress')} />}
          <MomentField field={form.field('validFrom')} />
          <MomentField field={form.field('validUntil')} isEnd />
          <p role="alert" className="refusal">
            {form.failure}
          </p>
          <RoomNotice form={form} />
          <Group justify="flex-end" gap={8}>
            <Button variant="default" onClick={onClose}>
              {text('action.cancel')}
            </Button>
            <Button type="submit" loading={form.isSaving} disabled={form.tried !== undefined}>
              {text('action.add')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
