import { CloseButton } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconInfoCircle } from '@tabler/icons-react'
import { useEffect } from 'react'
import { text } from '../text/text.ts'
import styles from './toast-stack.module.css'
import { dismiss, dismissOffers, endLater, hold, type Toast, useToasts } from './toasts.ts'

/** Shows the toasts. Screen readers announce each; it stays while the pointer or the focus is on it. */
export function ToastStack() {
  const toasts = useToasts()
  // An action offered in one account is not possible in another account or for another user.
  useEffect(() => dismissOffers, [])
  return (
    <section className={styles.stack} aria-label={text('toast.region')} aria-live="polite" aria-relevant="additions">
      {toasts.map(({ id, tone, text: words, action, press }) => (
        <div
          key={id}
          className={styles.toast}
          data-tone={tone}
          onMouseEnter={() => hold(id)}
          onMouseLeave={() => endLater(id)}
          onFocus={() => hold(id)}
          onBlur={() => endLater(id)}
        >
          <ToneIcon tone={tone} />
          {press ? (
            <button
              type="button"
              className={styles.press}
              onClick={() => {
                dismiss(id)
                press()
              }}
            >
              <bdi>{words}</bdi>
            </button>
          ) : (
            <bdi>{words}</bdi>
          )}
          {action && (
            <button
              type="button"
              onClick={() => {
                dismiss(id)
                action.run()
              }}
            >
              {action.label}
            </button>
          )}
          <CloseButton size="sm" aria-label={text('toast.dismiss')} onClick={() => dismiss(id)} />
        </div>
      ))}
    </section>
  )
}

function ToneIcon({ tone }: Pick<Toast, 'tone'>) {
  if (tone === 'refusal' || tone === 'warning') return <IconAlertTriangle size={17} aria-hidden="true" />
  if (tone === 'note') return <IconInfoCircle size={17} aria-hidden="true" />
  return <IconCheck size={17} aria-hidden="true" />
}
