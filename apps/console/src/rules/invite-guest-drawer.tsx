import { Button, Checkbox, Drawer, Group, Textarea, TextInput } from '@mantine/core'
import { rules } from '@portcullis/contract/collections/rules'
import { type ReactNode, type SubmitEvent, useState } from 'react'
import drawer from '../form/item-drawer.module.css'
import { AccessEffects } from '../item/access-effects.tsx'
import { client } from '../session/client.ts'
import type { Subject } from '../subjects/rule-subjects.ts'
import { SubjectPicker } from '../subjects/subject-picker.tsx'
import { fieldErrorText } from '../text/error-text.ts'
import { text } from '../text/text.ts'
import { viewerZone } from '../time/time-text.ts'
import { messageOf } from '../ui/list-notice.tsx'
import { GuestPassShown } from './guest-pass.tsx'
import { boxFromNow, firstHours, type Hours, HoursFields } from './hours-fields.tsx'
import styles from './invite-guest-drawer.module.css'
import { useInvite } from './use-invite.ts'
import { useKeypads } from './use-keypads.ts'
import { useLinkHint } from './use-link-hint.ts'
import { useZoneOf } from './use-zone-of.ts'

const ways = ['code', 'link'] as const

type Values = {
  name: string
  email: string
  where: Subject<'Door'>[]
  hours: Hours
  hasLink: boolean
  hasCode: boolean
  note: string
}

const none: Values = {
  name: '',
  email: '',
  where: [],
  hours: firstHours,
  hasLink: true,
  hasCode: false,
  note: '',
}

/** Temporary access for a guest, and then the code and the link, shown once. */
export function InviteGuestDrawer({ onClose, before }: { onClose: () => void; before: ReactNode }) {
  const [values, setValues] = useState(none)
  const [isTried, setTried] = useState(false)
  const invite = useInvite()
  const { name, email, where, hours, hasLink, hasCode, note } = values
  const zone = useZoneOf(where) ?? viewerZone
  const keypads = useKeypads(where)
  const linkHint = useLinkHint(where)
  const way = ways.filter((each) => (each === 'link' ? hasLink : hasCode && keypads.some))
  const address = email.trim() === '' ? null : email.trim()

  function put(changes: Partial<Values>) {
    setValues((current) => ({ ...current, ...changes }))
    invite.reset()
  }

  /** Undefined where something is missing. */
  function body() {
    const adhoc = boxFromNow(hours, zone)
    if (name.trim() === '' || where.length === 0 || way.length === 0 || adhoc === null) return undefined
    const doors = where.map(({ id }) => id)
    return { name, email: address, doors, adhoc, by: way, note: note.trim() === '' ? null : note }
  }

  function submit(event: SubmitEvent) {
    event.preventDefault()
    setTried(true)
    const invitation = body()
    if (invitation !== undefined && !invite.isPending) invite.mutate(invitation)
  }

  function tryIt() {
    const invitation = body()
    return invitation && client.rules.previewGuest(invitation)
  }

  const missing = (isMissing: boolean) => (isTried && isMissing ? text('form.required') : undefined)
  const wrong = (field: string) => fieldErrorText(invite.error, field)
  const isAtField = ['name', 'email', 'doors', 'adhoc'].some(wrong)

  return (
    <Frame onClose={onClose} title={text(invite.data ? 'guests.made' : 'adhoc.add')} closesOnEscape={!invite.data}>
      {invite.data ? (
        <GuestPassShown pass={invite.data} email={address} onDone={onClose} />
      ) : (
        <>
          {before}
          <form onSubmit={submit} noValidate className={drawer.form}>
            <div className={styles.fields}>
              <TextInput
                required
                label={text('guests.name')}
                value={name}
                error={missing(name.trim() === '') ?? wrong('name')}
                onChange={(event) => put({ name: event.currentTarget.value })}
              />
              <TextInput
                type="email"
                label={text('guests.email')}
                description={text('guests.emailHint')}
                value={email}
                error={wrong('email')}
                onChange={(event) => put({ email: event.currentTarget.value })}
              />
              <SubjectPicker
                field={doorsField({ value: where, error: missing(where.length === 0) ?? wrong('doors'), put })}
                label={text('rules.doors')}
                kinds={['Door']}
                canEdit
              />
              <HoursFields
                hours={hours}
                zone={zone}
                error={missing(boxFromNow(hours, zone) === null) ?? wrong('adhoc')}
                onChange={(next) => put({ hours: next })}
              />
              <Checkbox.Group
                label={text('guests.how')}
                error={missing(way.length === 0)}
                value={way}
                onChange={(chosen) => put({ hasCode: chosen.includes('code'), hasLink: chosen.includes('link') })}
              >
                <div className={styles.ways}>
                  <Checkbox value="link" label={text('guests.byLink')} description={linkHint} />
                  <Checkbox
                    value="code"
                    label={text('guests.byCode')}
                    description={keypads.hint}
                    disabled={!keypads.some}
                  />
                </div>
              </Checkbox.Group>
              <Textarea
                autosize
                minRows={2}
                label={text('adhoc.note')}
                placeholder={text('adhoc.notePlaceholder')}
                value={note}
                onChange={(event) => put({ note: event.currentTarget.value })}
              />
              <AccessEffects of={rules} change={values} ask={tryIt} />
            </div>
            <div className={drawer.footer}>
              <p role="alert" className={drawer.failure}>
                {invite.error && !isAtField ? messageOf(invite.error) : ''}
              </p>
              <Group gap={8} justify="flex-end">
                <Button variant="default" onClick={onClose}>
                  {text('action.cancel')}
                </Button>
                <Button type="submit" loading={invite.isPending}>
                  {text('guests.invite')}
                </Button>
              </Group>
            </div>
          </form>
        </>
      )}
    </Frame>
  )
}

type FrameProps = { title: string; closesOnEscape: boolean; onClose: () => void; children: ReactNode }

/** A press beside it does not close it, nor does Escape close the result: the code and the link are shown once. */
function Frame({ title, closesOnEscape, onClose, children }: FrameProps) {
  return (
    <Drawer
      opened
      onClose={onClose}
      closeOnClickOutside={false}
      closeOnEscape={closesOnEscape}
      title={title}
      closeButtonProps={{ 'aria-label': text('action.close') }}
      classNames={{ content: drawer.content, body: drawer.body, header: drawer.header, title: drawer.title }}
    >
      {children}
    </Drawer>
  )
}

type DoorsField = {
  value: Subject<'Door'>[]
  error: string | undefined
  put: (changes: { where: Subject<'Door'>[] }) => void
}

function doorsField({ value, error, put }: DoorsField) {
  return {
    name: 'doors',
    label: '',
    hint: undefined,
    value,
    error,
    isRequired: true,
    isNullable: false,
    isFixed: false,
    onChange: (where: Subject<'Door'>[]) => put({ where }),
  }
}
