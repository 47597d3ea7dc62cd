import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { logOut } from '../session/log-out.ts'
import { meQuery } from '../session/me-query.ts'
import { text } from '../text/text.ts'
import { BrandMark } from '../theme/brand-mark.tsx'
import styles from './plain-page.module.css'

const recheckMs = 20_000

/** The page for a signed-in user without an account. */
export function NoAccount() {
  const navigate = useNavigate()
  const { data } = useQuery({ ...meQuery(null), refetchInterval: recheckMs })
  const queryClient = useQueryClient()
  const hasAccount = Boolean(data?.account)

  useEffect(() => {
    if (!hasAccount) return
    // Accounts that refused this user stay remembered.
    queryClient.removeQueries({ queryKey: ['me'], type: 'inactive' })
    void navigate({ to: '/$account/sites', params: { account: 'null' }, replace: true })
  }, [hasAccount, queryClient, navigate])

  return (
    <main className={styles.page}>
      <title>{`${text('gate.title')} - ${text('product')}`}</title>
      <BrandMark size={40} />
      <h1>{text('gate.heading')}</h1>
      <p>{text('gate.noAccount')}</p>
      <Button
        variant="default"
        onClick={async () => {
          await logOut()
          await navigate({ to: '/authentication/login' })
        }}
      >
        {text('shell.logOut')}
      </Button>
    </main>
  )
}
