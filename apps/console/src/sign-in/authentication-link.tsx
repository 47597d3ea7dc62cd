import { Link, useParams, useSearch } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'
import { safeReturnUrl } from '../session/return-url.ts'

type Props = {
  page: 'login' | 'password-reset'
  children: ReactNode
  /** The next user is another one, without a place to return to. */
  forgets?: 'returnUrl'
  onClick?: (event: MouseEvent) => void
}

/** A link to another sign-in page; inside an account it stays there, and keeps the way back. */
export function AuthenticationLink({ page, children, forgets, onClick }: Props) {
  const { account } = useParams({ strict: false })
  const returnUrl = safeReturnUrl(useSearch({ from: '__root__' })['returnUrl'])
  const search = returnUrl === undefined || forgets ? {} : { returnUrl }
  const press = onClick ? { onClick } : {}
  if (account === undefined) {
    return (
      <Link to={`/authentication/${page}`} search={search} {...press}>
        {children}
      </Link>
    )
  }
  return (
    <Link to={`/$account/authentication/${page}`} params={{ account }} search={search} {...press}>
      {children}
    </Link>
  )
}
