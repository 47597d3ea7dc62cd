import { Button, Loader } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { text } from '../text/text.ts'
import { AuthenticationCard } from './authentication-card.tsx'
import styles from './authentication-card.module.css'
import { AuthenticationLink } from './authentication-link.tsx'
import { client } from '../session/client.ts'
import { failureText } from '../session/failure-text.ts'

/** Specification §2, row `email-confirm/{userId}/{token}`: the target of the link in the mail. */
export function EmailConfirmPage() {
  const { account, userId: user = '', token = '' }: LinkParams = useParams({ strict: false })
  const navigate = useNavigate()
  // Sent once per link, however often the page is rendered: a second time it would no longer work.
  const { data, error } = useQuery({
    queryKey: ['email-confirm', user, token],
    queryFn: () => client.verifyEmail({ user, token }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })

  function goToLogin() {
    if (account === undefined) void navigate({ to: '/authentication/login' })
    else void navigate({ to: '/$account/authentication/login', params: { account } })
  }

  return (
    <AuthenticationCard title={text('emailConfirm.title')} heading={text('emailConfirm.heading')}>
      {error && (
        <>
          <p className={styles.notice} role="alert">
            {failureText(error)}
          </p>
          <p className={styles.notice}>{text('emailConfirm.failedHint')}</p>
          <p className={styles.aside}>
            <AuthenticationLink page="login">{text('emailConfirm.login')}</AuthenticationLink>
          </p>
        </>
      )}
      {!error && !data && (
        <div className={styles.waiting} role="status" aria-label={text('emailConfirm.verifying')}>
          <Loader size="sm" />
        </div>
      )}
      {data && (
        <>
          <p className={styles.notice} role="status">
            {text(data.outcome === 'change_waits_for_other_address' ? 'emailConfirm.waits' : 'emailConfirm.verified')}
          </p>
          <div className={styles.actions}>
            <Button fullWidth onClick={goToLogin}>
              {text('emailConfirm.login')}
            </Button>
          </div>
        </>
      )}
    </AuthenticationCard>
  )
}

type LinkParams = { account?: string; userId?: string; token?: string }
