import { safeReturnUrl } from '../session/return-url.ts'

/** Where a page of the sign-in stands: at the root or in an account, and with which query. */
export type Entered = { params: { account?: string }; search: { [name: string]: string | undefined } }

/** Where a sign-in leads: back to where one was, else to the home of the account. */
export function homeOf({ params: { account = 'null' }, search }: Entered) {
  return safeReturnUrl(search['returnUrl']) ?? `/${account}/sites`
}

/** Another page of the sign-in, from which the way back is not forgotten. */
export function authenticationPath(page: 'login' | 'lock' | 'email-request', { params: { account }, search }: Entered) {
  const prefix = account === undefined ? '' : `/${account}`
  const returnUrl = safeReturnUrl(search['returnUrl'])
  const query = returnUrl === undefined ? '' : `?${new URLSearchParams({ returnUrl })}`
  return `${prefix}/authentication/${page}${query}`
}
