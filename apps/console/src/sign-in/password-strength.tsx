import { text } from '../text/text.ts'
import styles from './password-strength.module.css'
import type { Strength } from './use-password-strength.ts'

/** The strength of a password, in words and as a bar: `usePasswordStrength` rates it. */
export function PasswordStrength({ strength }: { strength: Strength | undefined }) {
  const filled = strength ? Math.max(1, strength.score) : 0
  return (
    <div className={styles.strength} data-enough={strength?.isEnough}>
      <div className={styles.bar} aria-hidden="true">
        {[1, 2, 3, 4].map((step) => (
          <i key={step} data-on={filled >= step || undefined} />
        ))}
      </div>
      <p role="status" aria-label={text('strength.label')}>
        {text(strength ? `strength.score${strength.score}` : 'strength.checking')}
      </p>
      {strength && !strength.isEnough && <p className={styles.hint}>{text('strength.hint')}</p>}
    </div>
  )
}
