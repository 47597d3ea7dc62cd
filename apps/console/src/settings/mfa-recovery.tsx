import { Modal } from '@mantine/core'
import { useState } from 'react'
import { StateTag } from '../ui/state-tag.tsx'
import { client } from '../session/client.ts'
import { RecoveryCodes } from '../mfa/recovery-codes.tsx'
import { text } from '../text/text.ts'
import { AskingButton } from './asking-button.tsx'
import { useRefreshMe } from './own-queries.ts'
import { SettingsSection } from './settings-section.tsx'

/** From here on it is time for new ones. */
const few = 3

/** How many recovery codes are left, and ten new ones, shown once. */
export function MfaRecovery({ left }: { left: number }) {
  const [codes, setCodes] = useState<readonly string[]>()
  const refreshMe = useRefreshMe()
  const said = left === 0 ? text('settings.mfa.noneLeft') : text('settings.mfa.left', { count: left })
  return (
    <SettingsSection title={text('settings.mfa.codesTitle')} hint={text('settings.mfa.codesHint')}>
      {left > few ? (
        <p>{said}</p>
      ) : (
        <>
          <StateTag state="no_number">{said}</StateTag>
          <p>{text('settings.mfa.fewLeft')}</p>
        </>
      )}
      <AskingButton
        label={text('settings.mfa.renew')}
        title={text('settings.mfa.renewTitle')}
        hint={text('settings.mfa.renewHint')}
        act={() => client.mfa.renewRecoveryCodes()}
        onDone={({ recoveryCodes }) => {
          setCodes(recoveryCodes)
          void refreshMe()
        }}
      />
      {codes && (
        // What is shown this once is not closed by accident.
        <Modal
          opened
          onClose={() => {}}
          title={text('mfa.recoveryTitle')}
          size={480}
          withCloseButton={false}
          closeOnClickOutside={false}
          closeOnEscape={false}
        >
          <RecoveryCodes codes={codes} onKept={() => setCodes(undefined)} />
        </Modal>
      )}
    </SettingsSection>
  )
}
