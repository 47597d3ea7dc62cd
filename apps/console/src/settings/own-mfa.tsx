import type { OwnMfa as Standing } from '@portcullis/contract/calls/authentication'
import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import { StateTag } from '../ui/state-tag.tsx'
import { toast } from '../ui/toasts.ts'
import { client } from '../session/client.ts'
import { useSession } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { ConfirmingButton } from './confirming-button.tsx'
import { useRefreshMe } from './own-queries.ts'
import { SettingsActions, SettingsPanel, SettingsSection } from './settings-section.tsx'
import { failureText } from '../session/failure-text.ts'
import { useConfirmedAct } from './use-confirmed-act.ts'
import { MfaModal } from '../mfa/mfa-modal.tsx'
import { RecoveryCodes } from '../mfa/recovery-codes.tsx'

/** At this number of codes it is time for new ones. */
const few = 3

/** The user's second factor: its state, turning it on and off, and recovery codes for a lost phone. */
export function OwnMfa() {
  const { mfa } = useSession()
  const isOn = mfa.enrolled && (mfa.enabled || mfa.enforced)
  return (
    <SettingsPanel>
      <SettingsSection title={text('settings.mfa.title')} hint={text('settings.mfa.hint')}>
        <StateTag state={isOn ? 'enabled' : 'disabled'}>{text(isOn ? 'settings.mfa.on' : 'settings.mfa.off')}</StateTag>
        <p>{whatHolds(mfa)}</p>
        {mfa.enforced && <p className="soft">{text(whyEnforced(mfa))}</p>}
        <SettingsActions>
          {!mfa.enrolled && <SetUpMfa label={text('settings.mfa.setUp')} look="filled" />}
          {mfa.enrolled && !isOn && <TurnOnMfa />}
          {isOn && !mfa.enforced && <TurnOff />}
        </SettingsActions>
      </SettingsSection>
      {mfa.enrolled && (
        <>
          <MfaRecovery left={mfa.recoveryCodesLeft} />
          <SettingsSection title={text('settings.mfa.replaceTitle')} hint={text('settings.mfa.replaceHint')}>
            <SetUpMfa label={text('settings.mfa.replace')} look="default" />
          </SettingsSection>
        </>
      )}
    </SettingsPanel>
  )
}

function TurnOff() {
  const refreshMe = useRefreshMe()
  return (
    <ConfirmingButton
      label={text('settings.mfa.turnOff')}
      title={text('settings.mfa.turnOffTitle')}
      hint={text('settings.mfa.turnOffHint')}
      tone="danger"
      act={() => client.mfa.disable()}
      onDone={() => {
        void refreshMe()
        toast({ text: text('settings.mfa.turnedOff') })
      }}
    />
  )
}

function whatHolds({ enrolled, enabled, enforced }: Standing) {
  if (enrolled && (enabled || enforced)) return text('settings.mfa.onHint')
  return text(enrolled ? 'settings.mfa.offEnrolledHint' : 'settings.mfa.offHint')
}

function whyEnforced({ enrolled }: Standing) {
  return enrolled ? 'settings.mfa.enforced' : 'settings.mfa.enforcedSoon'
}

/** Turns codes on again, with the authenticator that is still set up. */
function TurnOnMfa() {
  const refreshMe = useRefreshMe()
  const turnOn = useConfirmedAct({
    act: () => client.mfa.enable(),
    onDone() {
      void refreshMe()
      toast({ text: text('settings.mfa.turnedOn') })
    },
  })
  return (
    <>
      <Button loading={turnOn.isPending} onClick={() => turnOn.mutate()}>
        {text('settings.mfa.turnOn')}
      </Button>
      <p role="alert" className="refusal">
        {turnOn.error ? failureText(turnOn.error) : ''}
      </p>
    </>
  )
}

/** Sets up an authenticator app instead of the current one. */
function SetUpMfa({ label, look }: { label: string; look: 'filled' | 'default' }) {
  const [isOpen, setOpen] = useState(false)
  const refreshMe = useRefreshMe()
  // The modal requests a key itself. This one is requested because that needs a fresh sign-in, which the modal does not handle.
  const begin = useConfirmedAct({ act: () => client.mfa.setUp(), onDone: () => setOpen(true) })

  function close() {
    setOpen(false)
    void refreshMe()
  }

  return (
    <>
      <Button variant={look} loading={begin.isPending} onClick={() => begin.mutate()}>
        {label}
      </Button>
      <p role="alert" className="refusal">
        {begin.error ? failureText(begin.error) : ''}
      </p>
      {isOpen && <MfaModal isEnrolled={false} onDone={close} onClose={close} />}
    </>
  )
}

/** How many recovery codes are left, and ten new ones, shown once. */
function MfaRecovery({ left }: { left: number }) {
  const [codes, setCodes] = useState<readonly string[]>()
  const refreshMe = useRefreshMe()
  const sentence = left === 0 ? text('settings.mfa.noneLeft') : text('settings.mfa.left', { count: left })
  return (
    <SettingsSection title={text('settings.mfa.codesTitle')} hint={text('settings.mfa.codesHint')}>
      {left > few ? (
        <p>{sentence}</p>
      ) : (
        <>
          <StateTag state="no_number">{sentence}</StateTag>
          <p>{text('settings.mfa.fewLeft')}</p>
        </>
      )}
      <ConfirmingButton
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
        // Codes shown only once are not closed by accident.
        <Modal
          opened
          onClose={() => {}}
          title={text('mfa.recoveryTitle')}
          size={480}
          withCloseButton={false}
          closeOnClickOutside={false}
          closeOnEscape={false}
        >
          <RecoveryCodes codes={codes} onCodesSaved={() => setCodes(undefined)} />
        </Modal>
      )}
    </SettingsSection>
  )
}
