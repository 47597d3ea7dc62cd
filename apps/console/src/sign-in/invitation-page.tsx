import { Button, Group, Loader } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { client } from '../session/client.ts'
import { failureText } from '../session/failure-text.ts'
import { text } from '../text/text.ts'
import { useSinglePress } from '../ui/use-single-press.ts'
import { AuthenticationCard } from './authentication-card.tsx'
import styles from './authentication-card.module.css'
import { AuthenticationLink } from './authentication-link.tsx'

/** The target of the link in an invitation to an account. Its secret is in the fragment, which no browser sends. */
export function InvitationPage() {
  const token = useLocation({ select: ({ hash }) => hash })
  const { data, error } = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => client.memberships.invitationOf(token),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })

  return (
    <AuthenticationCard title={text('invitation.title')} heading={data?.account ?? text('invitation.title')}>
      {!data && !error && (
        <div className={styles.waiting} role="status" aria-label={text('loading')}>
          <Loader size="sm" />
        </div>
      )}
      {error && <Failure error={error} />}
      {data && (
        <Answer
          token={token}
          words={text('invitation.from', { name: data.invitedBy, role: text(`users.roles.${data.role}`) })}
        />
      )}
    </AuthenticationCard>
  )
}

function Answer({ token, words }: { token: string; words: string }) {
  const answering = useMutation({
    mutationFn: (accept: boolean) => client.memberships.answerLink({ token, accept }),
  })
  const accept = useSinglePress(() => answering.mutateAsync(true))
  const decline = useSinglePress(() => answering.mutateAsync(false))
  if (answering.isSuccess) {
    return (
      <>
        <p className={styles.notice} role="status">
          {text(answering.variables ? 'invitation.accepted' : 'invitation.declined')}
        </p>
        <LoginLink />
      </>
    )
  }
  return (
    <>
      <p className={styles.notice}>{words}</p>
      <Group grow gap={8} mt="lg">
        <Button variant="default" disabled={answering.isPending} onClick={decline}>
          {text('invitation.decline')}
        </Button>
        <Button loading={answering.isPending} onClick={accept}>
          {text('invitation.accept')}
        </Button>
      </Group>
      {answering.error && <Failure error={answering.error} />}
    </>
  )
}

function Failure({ error }: { error: Error }) {
  return (
    <>
      <p className={styles.notice} role="alert">
        {failureText(error)}
      </p>
      <LoginLink />
    </>
  )
}

function LoginLink() {
  return (
    <p className={styles.aside}>
      <AuthenticationLink page="login">{text('emailConfirm.login')}</AuthenticationLink>
    </p>
  )
}
