import { Button } from '@mantine/core'
import { ApiError } from '@portcullis/client/api-error'
import type { CurrentUser } from '@portcullis/contract/calls/authentication'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { text } from '../text/text.ts'
import { AuthenticationCard } from './authentication-card.tsx'
import styles from './authentication-card.module.css'
import { AuthenticationLink } from './authentication-link.tsx'
import { client } from '../session/client.ts'
import { failureText } from '../session/failure-text.ts'
import { logOut } from '../session/log-out.ts'
import { meQuery } from '../session/me-query.ts'

type Props = { user: CurrentUser; onVerified: () => void }

/** Specification §2, row `email-request`: for signed-in users with an unconfirmed email. */
export function EmailRequestPage({ user, onVerified }: Props) {
  const first = useQuery({
    queryKey: ['verification-mail', user._id],
    queryFn: () => send(user._id),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const again = useMutation({ mutationFn: () => send(user._id) })
  // The link may be followed in another tab or on a phone: a user who comes back here continues.
  const { data: me, error } = useQuery({ ...meQuery(null), refetchOnWindowFocus: 'always' })
  const isCodeOwed = error instanceof ApiError && error.code === 'code_owed'
  const isVerified = isCodeOwed || me?.user.verified === true
  useEffect(() => {
    if (isVerified) onVerified()
  }, [isVerified, onVerified])
  const failure = again.error ?? first.error

  return (
    <AuthenticationCard title={text('emailRequest.title')} heading={text('emailRequest.heading')}>
      <p className={styles.notice}>{text('emailRequest.hint', { email: user.email })}</p>
      <div className={styles.actions}>
        <Button fullWidth loading={again.isPending || first.isLoading} onClick={() => again.mutate()}>
          {text('emailRequest.resend')}
        </Button>
        <div role="status">{again.isSuccess && text('emailRequest.sentAgain')}</div>
        <div role="alert" className={styles.failure}>
          {failure && !again.isSuccess && !again.isPending && failureText(failure)}
        </div>
      </div>
      <p className={styles.aside}>
        <AuthenticationLink
          page="login"
          forgets="returnUrl"
          onClick={(event) => {
            event.preventDefault()
            void logOut()
          }}
        >
          {text('emailRequest.different')}
        </AuthenticationLink>
      </p>
    </AuthenticationCard>
  )
}

async function send(user: string) {
  await client.resendVerification(user)
  return 'sent' as const
}
