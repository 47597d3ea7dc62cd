import { Drawer } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorNotice } from '../ui/list-notice.tsx'
import { SkeletonRows } from '../ui/skeleton-rows.tsx'
import { meQuery } from '../session/me-query.ts'
import { SessionProvider } from '../session/session-context.tsx'
import { text } from '../text/text.ts'

type Props = { accountRef: string; onClose: () => void; children: ReactNode }

/** What is within asks in another account, with the rights that the person holds there: an account is changed in itself. */
export function AccountSession({ accountRef, onClose, children }: Props) {
  const { data, isError, error, refetch } = useQuery(meQuery(accountRef))
  if (data?.account) return <SessionProvider session={{ ...data, account: data.account }}>{children}</SessionProvider>
  return (
    <Drawer opened onClose={onClose} title=" " closeButtonProps={{ 'aria-label': text('action.close') }}>
      {isError ? <ErrorNotice error={error} onRetry={() => void refetch()} /> : <SkeletonRows count={4} />}
    </Drawer>
  )
}
