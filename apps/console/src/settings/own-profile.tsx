import { OwnAccounts } from './own-accounts.tsx'
import { OwnConsent } from './own-consent.tsx'
import { OwnEmail } from './own-email.tsx'
import { OwnIdleTime } from './own-idle-time.tsx'
import { OwnName } from './own-name.tsx'
import { SettingsPanel } from './settings-section.tsx'

/** Who one is here. */
export function OwnProfile() {
  return (
    <SettingsPanel>
      <OwnName />
      <OwnEmail />
      <OwnAccounts />
      <OwnIdleTime />
      <OwnConsent />
    </SettingsPanel>
  )
}
