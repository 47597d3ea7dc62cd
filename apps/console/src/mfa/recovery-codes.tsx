import { Button, CopyButton } from '@mantine/core'
import { text } from '../text/text.ts'
import styles from './mfa.module.css'

/** The ten codes for a lost phone, shown once. */
export function RecoveryCodes({ codes, onCodesSaved }: { codes: readonly string[]; onCodesSaved: () => void }) {
  const lines = codes.join('\n')
  return (
    <>
      <p>{text('mfa.recoveryWhy')}</p>
      <ul className={styles.codes} aria-label={text('mfa.recoveryList')}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className={styles.actions}>
        <CopyButton value={lines}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {text(copied ? 'action.copied' : 'mfa.copyCodes')}
            </Button>
          )}
        </CopyButton>
        <Button
          variant="default"
          component="a"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(fileOf(lines))}`}
          download={text('mfa.recoveryFileName')}
        >
          {text('mfa.downloadCodes')}
        </Button>
        <Button onClick={onCodesSaved}>{text('mfa.recoveryDone')}</Button>
      </div>
    </>
  )
}

function fileOf(lines: string) {
  return `${text('mfa.recoveryFileHead', { product: text('product') })}\n\n${lines}\n`
}
