import { safeReturnUrl } from '../session/return-url.ts'

/** Where a sign-in page is: at the root or in an account, and with which query. */
export type Entered = { params: { account?: string }; search: { [name: string]: string | undefined } }

/** Where a sign-in leads: back to the previous address, else to the home of the account. */
export function homeOf({ params: { account = 'null' }, search }: Entered) {
  return safeReturnUrl(search['returnUrl']) ?? `/${account}/sites`
}

/** Another page of the sign-in, which keeps the way back. */
export function authenticationPath(page: 'login' | 'lock' | 'email-request', { params: { account }, search }: Entered) {
  const prefix = account === undefined ? '' : `/${account}`
  const returnUrl = safeReturnUrl(search['returnUrl'])
  const query = returnUrl === undefined ? '' : `?${new URLSearchParams({ returnUrl })}`
  return `${prefix}/authentication/${page}${query}`
}
