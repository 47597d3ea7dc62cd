import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useEffect } from 'react'
import { router } from './routes/router.tsx'
import { forgetSession } from './session/forget-session.ts'
import { queryClient } from './session/query-client.ts'
import { whenForbidden } from './session/refusals.ts'
import { whenSessionEnds } from './session/session-end.ts'
import { cssVariablesResolver, theme } from './theme/theme.ts'

const colorScheme = localStorageColorSchemeManager({ key: 'portcullis-appearance' })

export function App() {
  useEffect(() => whenSessionEnds(goToLogin), [])
  useEffect(() => whenForbidden(renewSession), [])
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

function goToLogin(reason: 'ended' | 'logged_out') {
  forgetSession()
  const { pathname, href } = router.state.location
  if (pathname.includes('/authentication/')) return
  void router.navigate({
    to: '/authentication/login',
    search: reason === 'ended' ? { returnUrl: href } : {},
    replace: true,
  })
}

let isRenewing = false

/** Asks again what the person may do and goes through the gates once more: menus follow, and who is shut out is shown so. */
function renewSession() {
  if (isRenewing || router.state.location.pathname.includes('/authentication/')) return
  isRenewing = true
  void queryClient
    .refetchQueries({ queryKey: ['me'] })
    .then(() => router.invalidate())
    .finally(() => {
      isRenewing = false
    })
}
