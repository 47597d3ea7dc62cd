import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { safeReturnUrl } from '../session/return-url.ts'
import type { Destination } from '../session/sign-in.ts'
import { authenticationPath, homeOf } from './authentication-paths.ts'

/** Goes to the target of a sign-in; `lastPlace` where the address names none. */
export function useOpenTarget(lastPlace?: string) {
  const params: { account?: string } = useParams({ strict: false })
  const search = useSearch({ from: '__root__' })
  const navigate = useNavigate()
  return async (to: Destination, { reloadDocument = false } = {}) => {
    const returnUrl = safeReturnUrl(search['returnUrl']) ?? safeReturnUrl(lastPlace)
    const entered = { params, search: { returnUrl } }
    await navigate({
      href: to === 'home' ? homeOf(entered) : authenticationPath(to, entered),
      replace: true,
      reloadDocument,
    })
  }
}
