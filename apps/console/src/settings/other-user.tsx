import type { EntityOf } from '@portcullis/contract/collection'
import { users } from '@portcullis/contract/collections/users'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { EmptyNotice, ErrorNotice } from '../ui/list-notice.tsx'
import { Screen } from '../ui/screen.tsx'
import { SkeletonRows } from '../ui/skeleton-rows.tsx'
import { StateTag } from '../ui/state-tag.tsx'
import { useItem } from '../item/use-item.ts'
import { itemKey } from '../item/keys.ts'
import { client } from '../session/client.ts'
import { useAccount, useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { ConfirmingButton } from './confirming-button.tsx'
import { SettingsPanel, SettingsSection } from './settings-section.tsx'

type User = EntityOf<typeof users>
type SignsIn = User & { email: string }

/** The sign-in of another user: the mails and the reset that an administrator may do, never the password itself. */
export function OtherUser({ id }: { id: string }) {
  const { ref } = useAccount()
  const mayManage = useCan('manage', 'Users')
  const { data: user, error, refetch } = useItem(users, mayManage ? id : undefined)
  const list: string = `/${ref}/users/list`
  return (
    <Screen
      title={user ? text('settings.other.ofPerson', { name: user.name }) : text('settings.other.link')}
      above={
        mayManage && (
          <Link to={list} search={user ? { open: id } : {}}>
            {text('settings.other.back')}
          </Link>
        )
      }
    >
      <SettingsPanel>{content()}</SettingsPanel>
    </Screen>
  )

  function content() {
    if (!mayManage) return <EmptyNotice title={text('gate.notOpen')} hint={text('gate.notOpenHint')} />
    if (user) return hasEmail(user) ? <Sections user={user} /> : <NoEmail />
    return error ? <ErrorNotice error={error} onRetry={() => void refetch()} /> : <SkeletonRows count={3} />
  }
}

function hasEmail(user: User): user is SignsIn {
  return user.email !== null
}

function NoEmail() {
  return <EmptyNotice title={text('settings.other.noEmail')} hint={text('settings.other.noEmailHint')} />
}

function Sections({ user }: { user: SignsIn }) {
  return (
    <>
      <PasswordOf user={user} />
      <EmailOf user={user} />
      <MfaOf user={user} />
    </>
  )
}

function PasswordOf({ user: { name, email } }: { user: SignsIn }) {
  const [done, setDone] = useState('')
  return (
    <SettingsSection title={text('settings.other.passwordTitle')} hint={text('settings.other.passwordHint', { name })}>
      <ConfirmingButton
        label={text('settings.other.sendReset')}
        title={text('settings.other.sendResetTitle', { email })}
        hint={text('settings.other.passwordHint', { name })}
        act={() => client.forgotPassword(email)}
        onDone={() => setDone(text('settings.other.resetSent', { email }))}
      />
      <p role="status">{done}</p>
    </SettingsSection>
  )
}

function EmailOf({ user: { _id, email, verified } }: { user: SignsIn }) {
  const [done, setDone] = useState('')
  const { ref } = useAccount()
  const queryClient = useQueryClient()
  return (
    <SettingsSection title={text('settings.other.emailTitle')} hint={text('settings.other.emailHint')}>
      <p>
        <bdi>{email}</bdi>
      </p>
      <StateTag state={verified ? 'confirmed' : 'waiting'}>
        {text(verified ? 'settings.other.confirmed' : 'settings.other.unconfirmed')}
      </StateTag>
      {!verified && (
        <ConfirmingButton
          label={text('settings.other.sendVerification')}
          title={text('settings.other.sendVerificationTitle', { email })}
          hint={text('settings.other.sendVerificationHint')}
          act={() => client.resendVerification(_id)}
          onDone={() => {
            setDone(text('settings.other.verificationSent', { email }))
            void queryClient.invalidateQueries({ queryKey: itemKey({ of: users, accountRef: ref, id: _id }) })
          }}
        />
      )}
      <p role="status">{done}</p>
    </SettingsSection>
  )
}

function MfaOf({ user: { _id, name } }: { user: SignsIn }) {
  const [done, setDone] = useState('')
  const mayReset = useCan('manage', 'MFA')
  return (
    <SettingsSection title={text('settings.other.mfaTitle')} hint={text('settings.other.mfaHint', { name })}>
      {mayReset ? (
        <ConfirmingButton
          label={text('settings.other.mfaReset')}
          title={text('settings.other.mfaResetTitle', { name })}
          hint={text('settings.other.mfaResetHint')}
          tone="danger"
          act={() => client.mfa.reset(_id)}
          onDone={() => setDone(text('settings.other.mfaResetDone', { name }))}
        />
      ) : (
        <p className="soft">{text('settings.other.mfaNotAllowed')}</p>
      )}
      <p role="status">{done}</p>
    </SettingsSection>
  )
}
