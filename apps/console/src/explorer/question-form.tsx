import { Button, Input, SegmentedControl, Select, TextInput } from '@mantine/core'
import { credentials } from '@portcullis/contract/collections/credentials'
import { doors } from '@portcullis/contract/collections/doors'
import { users } from '@portcullis/contract/collections/users'
import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'
import { ReferencePicker } from '../form/reference-picker.tsx'
import { zoneInWords } from '../time/time-text.ts'
import { useList } from '../item/use-list.ts'
import { text } from '../text/text.ts'
import styles from './question-form.module.css'
import type { useAsked } from './use-asked.ts'

type Props = ReturnType<typeof useAsked> & {
  /** What the clock at the site shows at the moment that is asked for, and in which zone; unknown before there is an answer. */
  site: { time: string; zone: string | null } | undefined
  errorAt: string | undefined
}

const afterTypingMs = 400

/** Who, where, when and which way: each choice asks at once. */
export function QuestionForm({ asked, change, site, errorAt }: Props) {
  return (
    <div className={styles.form}>
      <Who asked={asked} change={change} />
      <ReferencePicker
        of={doors}
        label={text('explorer.door')}
        value={asked.door ?? null}
        onChange={(door) => change({ door: door ?? undefined })}
      />
      <div className={styles.when}>
        <TextInput
          type="datetime-local"
          label={text('explorer.when')}
          description={
            site?.zone
              ? text('explorer.siteClock', { zone: zoneInWords(site.zone) })
              : text('explorer.siteClockUnknown')
          }
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          max="9999-12-31T23:59"
          error={errorAt}
          value={asked.at === undefined ? '' : (localOf(asked.at) ?? site?.time.slice(0, 16) ?? '')}
          onChange={(event) => change({ at: event.currentTarget.value || undefined })}
        />
        <Button variant="default" disabled={asked.at === undefined} onClick={() => change({ at: undefined })}>
          {text('explorer.setNow')}
        </Button>
      </div>
      <Input.Wrapper label={text('explorer.direction')} labelElement="div">
        <SegmentedControl
          fullWidth
          aria-label={text('explorer.direction')}
          value={asked.direction}
          data={[
            { value: 'entry', label: text('explorer.entry') },
            { value: 'exit', label: text('explorer.exit') },
          ]}
          onChange={(direction) => change({ direction })}
        />
      </Input.Wrapper>
    </div>
  )
}

type WhoProps = Pick<Props, 'asked' | 'change'>

/** A person with what they hold, or a number as it is on a card. */
function Who({ asked, change }: WhoProps) {
  const [kind, setKind] = useState(asked.number === undefined ? 'person' : 'number')
  return (
    <div className={styles.who}>
      <Input.Wrapper label={text('explorer.who')} labelElement="div">
        <SegmentedControl
          fullWidth
          aria-label={text('explorer.who')}
          value={kind}
          data={[
            { value: 'person', label: text('explorer.person') },
            { value: 'number', label: text('explorer.number') },
          ]}
          onChange={(next) => {
            setKind(next)
            change({ user: undefined, number: undefined, credential: undefined })
          }}
        />
      </Input.Wrapper>
      {kind === 'person' ? (
        <>
          <ReferencePicker
            of={users}
            label={text('explorer.person')}
            value={asked.user ?? null}
            onChange={(user) => change({ user: user ?? undefined, credential: undefined, number: undefined })}
          />
          {asked.user !== undefined && <CredentialOf user={asked.user} asked={asked} change={change} />}
        </>
      ) : (
        <NumberInput asked={asked} change={change} />
      )}
    </div>
  )
}

/** Offered where a person holds several. */
function CredentialOf({ user, asked, change }: WhoProps & { user: string }) {
  const { data } = useList(credentials, { filter: { user }, size: 50 })
  const held = data?.items ?? []
  if (held.length < 2) return null
  return (
    <Select
      label={text('explorer.credential')}
      clearable
      placeholder={text('explorer.anyCredential')}
      value={asked.credential ?? null}
      data={held.map(({ _id, kind, number }) => ({
        value: _id,
        label: text('explorer.credentialOf', { kind: text(`credentials.kinds.${kind}`), number: number ?? '' }),
      }))}
      onChange={(credential) => change({ credential: credential ?? undefined })}
    />
  )
}

function NumberInput({ asked, change }: WhoProps) {
  const [typed, setTyped] = useState(asked.number ?? '')
  const report = useDebouncedCallback((number: string) => change({ number: number.trim() || undefined }), afterTypingMs)
  return (
    <TextInput
      label={text('explorer.number')}
      description={text('explorer.numberHint')}
      value={typed}
      maxLength={64}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        report(event.currentTarget.value)
      }}
    />
  )
}

/** What an input for date and time takes; an instant is not one. */
function localOf(at: string) {
  return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(at) ? at : undefined
}
