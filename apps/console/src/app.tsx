import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useEffect } from 'react'
import { authenticationPath } from './routes/authentication-paths.ts'
import { router } from './routes/router.tsx'
import { actingInside } from './session/acting-inside.ts'
import { configurationQuery } from './session/configuration-query.ts'
import { forgetSession } from './session/forget-session.ts'
import { forgetPerson, rememberedUser } from './session/remembered-user.ts'
import { queryClient } from './session/query-client.ts'
import { renewRights } from './session/renew-rights.ts'
import { whenForbidden } from './session/refusals.ts'
import { safeReturnUrl } from './session/return-url.ts'
import { forgetSignedInElsewhere, isSignedInElsewhere } from './session/session-channel.ts'
import { type SessionEnd, whenSessionEnds } from './session/session-end.ts'
import { cssVariablesResolver, theme } from './theme/theme.ts'
import { returnFocusFromDialogs } from './ui/return-focus.ts'

const colorScheme = localStorageColorSchemeManager({ key: 'portcullis-appearance' })

export function App() {
  useEffect(() => void queryClient.prefetchQuery(configurationQuery), [])
  useEffect(() => whenSessionEnds(leaveConsole), [])
  useEffect(() => whenForbidden(renewSession), [])
  useEffect(returnFocusFromDialogs, [])
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      colorSchemeManager={colorScheme}
      defaultColorScheme="auto"
    >
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  )
}

function leaveConsole(reason: SessionEnd) {
  // The sign-in in the other tab ended the previous session, and this tab shares the new one.
  if (reason === 'ended' && isSignedInElsewhere()) return reloadOutsideSignIn()
  forgetSignedInElsewhere()
  const isLocked = reason === 'locked' || (rememberedUser()?.isLocked ?? false)
  // The other tab has decided this too. A message reaches other tabs before stored values do.
  if (!isLocked && reason !== 'elsewhere') forgetPerson()
  // Acting inside an account ends with the session: a user who returns is in their own account.
  const back = actingInside()?.back
  forgetSession()
  if (isOnSignInPage(router.state.location.pathname)) return
  const entered = { params: accountOfPath(), search: { returnUrl: returnUrlAfter(reason, back) } }
  void router.navigate({ href: authenticationPath(isLocked ? 'lock' : 'login', entered), replace: true })
}

/** The page that asks for a verified email is the only authentication page of a signed-in user. */
function isOnSignInPage(pathname: string) {
  return pathname.includes('/authentication/') && !pathname.includes('/authentication/email-request')
}

function accountOfPath() {
  const [, account] = /^\/([^/]+)\/authentication\//.exec(router.state.location.pathname) ?? []
  return account === undefined ? {} : { account }
}

function returnUrlAfter(reason: SessionEnd, back: string | undefined) {
  if (reason === 'logged_out') return undefined
  const { href, search } = router.state.location
  return safeReturnUrl(back ?? href) ?? safeReturnUrl(search['returnUrl'])
}

/** The sign-in pages continue by themselves. */
function reloadOutsideSignIn() {
  if (!location.pathname.includes('/authentication/')) location.reload()
}

let isRenewing = false

/** Loads the user's rights again and checks the permission of the screen: menus follow, and a user without access is sent away. */
function renewSession() {
  if (isRenewing || router.state.location.pathname.includes('/authentication/')) return
  isRenewing = true
  void renewRights()
    .then(() => router.invalidate())
    .finally(() => {
      isRenewing = false
    })
}
