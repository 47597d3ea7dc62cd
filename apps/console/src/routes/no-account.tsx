import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { logOut } from '../session/log-out.ts'
import { text } from '../text/text.ts'
import { BrandMark } from '../theme/brand-mark.tsx'
import styles from './plain-page.module.css'

/** What a person sees who is signed in and belongs to no account. */
export function NoAccount() {
  const navigate = useNavigate()
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
