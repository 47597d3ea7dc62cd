import type { OwnSignIn } from '@portcullis/contract/calls/own-sessions'
import { useQuery } from '@tanstack/react-query'
import { ErrorNotice } from '../ui/list-notice.tsx'
import { SkeletonRows } from '../ui/skeleton-rows.tsx'
import { type State, StateTag } from '../ui/state-tag.tsx'
import { Time } from '../time/time.tsx'
import { text } from '../text/text.ts'
import { addressInWords, deviceInWords } from './device-in-words.ts'
import { ownSignInsQuery } from './own-queries.ts'
import styles from './sign-in-history.module.css'
import { SettingsSection } from './settings-section.tsx'
import { SomeFirst } from './some-first.tsx'

const looks: Record<OwnSignIn['outcome'], State> = {
  signed_in: 'confirmed',
  wrong_password: 'refused',
  wrong_code: 'refused',
  locked_out: 'blocked',
}

/** The latest sign-ins of the user, and failed attempts. */
export function SignInHistory() {
  const signIns = useQuery(ownSignInsQuery)
  return (
    <SettingsSection title={text('settings.history.title')} hint={text('settings.history.hint')}>
      {signIns.isPending && <SkeletonRows count={4} />}
      {signIns.isError && !signIns.data && <ErrorNotice error={signIns.error} onRetry={() => void signIns.refetch()} />}
      {signIns.data?.length === 0 && <p className="soft">{text('settings.history.empty')}</p>}
      {signIns.data && signIns.data.length > 0 && (
        <SomeFirst of={signIns.data} most={12}>
          {(shown) => (
            <ol className={styles.history} aria-label={text('settings.history.list')}>
              {shown.map(({ at, outcome, device, address }, index) => (
                // Two attempts may have the same time.
                <li key={`${at} ${index}`}>
                  <StateTag state={looks[outcome]}>{text(`settings.history.outcomes.${outcome}`)}</StateTag>
                  <span className={styles.device}>
                    {deviceInWords(device)}
                    <span className="second">{addressInWords(address)}</span>
                  </span>
                  <Time at={at} />
                </li>
              ))}
            </ol>
          )}
        </SomeFirst>
      )}
    </SettingsSection>
  )
}
