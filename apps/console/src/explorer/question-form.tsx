import { Button, Input, SegmentedControl, Select, TextInput } from '@mantine/core'
import { credentials } from '@portcullis/contract/collections/credentials'
import { doors } from '@portcullis/contract/collections/doors'
import { users } from '@portcullis/contract/collections/users'
import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'
import { ReferencePicker } from '../form/reference-picker.tsx'
import { MomentInput } from '../time/moment-input.tsx'
import { zoneInWords } from '../time/time-text.ts'
import { useList } from '../item/use-list.ts'
import { text } from '../text/text.ts'
import styles from './question-form.module.css'
import type { useExplorerQuery } from './use-explorer-query.ts'

type Props = ReturnType<typeof useExplorerQuery> & {
  /** The site's local time at the selected moment, and its time zone; undefined before there is an answer. */
  site: { time: string; zone: string | null } | undefined
  errorAt: string | undefined
}

const afterTypingMs = 400

/** Who, where, when and in which direction: each change sends the question. */
export function QuestionForm({ query, change, site, errorAt }: Props) {
  return (
    <div className={styles.form}>
      <Who query={query} change={change} />
      <ReferencePicker
        of={doors}
        label={text('explorer.door')}
        value={query.door ?? null}
        onChange={(door) => change({ door: door ?? undefined })}
      />
      <div className={styles.when}>
        <MomentInput
          label={text('explorer.when')}
          description={
            site?.zone
              ? text('explorer.siteClock', { zone: zoneInWords(site.zone) })
              : text('explorer.siteClockUnknown')
          }
          error={errorAt}
          value={shownAt(query.at, site)}
          today={site?.time.slice(0, 10)}
          onChange={(at) => change({ at: at || undefined })}
        />
        <Button variant="default" disabled={query.at === undefined} onClick={() => change({ at: undefined })}>
          {text('explorer.setNow')}
        </Button>
      </div>
      <Input.Wrapper label={text('explorer.direction')} labelElement="div">
        <SegmentedControl
          fullWidth
          aria-label={text('explorer.direction')}
          value={query.direction}
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

type WhoProps = Pick<Props, 'query' | 'change'>

/** A user with one of their credentials, or the number of a card. */
function Who({ query, change }: WhoProps) {
  const [kind, setKind] = useState(query.number === undefined ? 'person' : 'number')
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
            value={query.user ?? null}
            onChange={(user) => change({ user: user ?? undefined, credential: undefined, number: undefined })}
          />
          {query.user !== undefined && <CredentialOf user={query.user} query={query} change={change} />}
        </>
      ) : (
        <NumberInput query={query} change={change} />
      )}
    </div>
  )
}

/** Shown where the user has several. */
function CredentialOf({ user, query, change }: WhoProps & { user: string }) {
  const { data } = useList(credentials, { filter: { user }, size: 50 })
  const held = data?.items ?? []
  if (held.length < 2) return null
  return (
    <Select
      label={text('explorer.credential')}
      clearable
      placeholder={text('explorer.anyCredential')}
      value={query.credential ?? null}
      data={held.map(({ _id, kind, number }) => ({
        value: _id,
        label: text('explorer.credentialOf', { kind: text(`credentials.kinds.${kind}`), number: number ?? '' }),
      }))}
      onChange={(credential) => change({ credential: credential ?? undefined })}
    />
  )
}

function NumberInput({ query, change }: WhoProps) {
  const [typed, setTyped] = useState(query.number ?? '')
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

/** The wall clock of the site, also for the instant that a link from an event names. */
function shownAt(at: string | undefined, site: Props['site']) {
  const isInstant = at !== undefined && /T.*(Z|[+-]\d\d:\d\d)$/.test(at)
  return (isInstant ? site?.time.slice(0, 16) : at) ?? ''
}
