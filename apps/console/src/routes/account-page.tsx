import { AccountLayout } from '../shell/account-layout.tsx'
import { Notifications } from '../tasks/notifications.tsx'

/** The console inside an account, with the bell of its top bar. */
export function AccountPage() {
  return <AccountLayout notifications={<Notifications />} />
}
