import { ApiError } from '@portcullis/client/api-error'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { text } from '../text/sign-in-text.ts'
import { AuthenticationCard } from './authentication-card.tsx'
import styles from './authentication-card.module.css'
import { AuthenticationLink } from './authentication-link.tsx'
import { client } from '../session/client.ts'
import { failureText } from '../session/failure-text.ts'
import { forgetSession } from '../session/forget-session.ts'
import { rememberedUser } from '../session/remembered-user.ts'
import { configurationQuery } from '../session/configuration-query.ts'
import { NewPasswordForm } from './new-password-form.tsx'

/** Specification §2, row `password-reset/{userId}/{token}`: the target of the link in the mail. */
export function NewPasswordPage() {
  const { userId: user = '', token = '' }: LinkParams = useParams({ strict: false })
  const { data: configuration } = useQuery(configurationQuery)
  const reset = useMutation({
    mutationFn: (password: string) => client.resetPassword({ user, token, password }),
    onSuccess: forgetSession,
  })
  const failure = reset.error ? failureText(reset.error) : undefined
  const person = rememberedUser()
  const heading = text('passwordReset.heading')

  if (reset.isSuccess) {
    return (
      <AuthenticationCard title={text('passwordReset.title')} heading={heading}>
        <p className={styles.notice} role="status">
          {text('passwordReset.done')}
        </p>
        <p className={styles.aside}>
          <AuthenticationLink page="login">{text('passwordReset.login')}</AuthenticationLink>
        </p>
      </AuthenticationCard>
    )
  }
  return (
    <AuthenticationCard title={text('passwordReset.title')} heading={heading}>
      {isLinkEnded(reset.error) ? (
        <p className={styles.notice} role="alert">
          {failure}
        </p>
      ) : (
        <NewPasswordForm
          ownWords={person ? [person.name, person.email] : []}
          isInFlight={reset.isPending}
          failure={failure}
          onSubmit={reset.mutate}
        />
      )}
      {configuration?.authenticationProvider === 'local' && (
        <p className={styles.aside}>
          <AuthenticationLink page="password-reset">{text('passwordReset.resend')}</AuthenticationLink>
        </p>
      )}
    </AuthenticationCard>
  )
}

function isLinkEnded(error: Error | null) {
  return error instanceof ApiError && error.code === 'link_ended'
}

type LinkParams = { userId?: string; token?: string }
