import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'

/** A link to another sign-in page; inside an account it stays there. */
export function AuthenticationLink({ page, children }: { page: 'login' | 'password-reset'; children: ReactNode }) {
  const { account } = useParams({ strict: false })
  if (account === undefined) return <Link to={`/authentication/${page}`}>{children}</Link>
  return (
    <Link to={`/$account/authentication/${page}`} params={{ account }}>
      {children}
    </Link>
  )
}
