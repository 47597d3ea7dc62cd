import { Button, CopyButton } from '@mantine/core'
import type { GuestPass } from '@portcullis/contract/calls/guests'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { text } from '../text/text.ts'
import styles from './guest-pass.module.css'

type Props = { pass: Pick<GuestPass, 'code' | 'link'>; email: string | null; onDone: () => void }

/** The code and the link of a guest, shown once. */
export function GuestPassShown({ pass: { code, link }, email, onDone }: Props) {
  return (
    <div className={styles.pass}>
      {code !== null && <Secret label={text('guests.code')} value={code} hint={text('guests.codeHint')} />}
      {link !== null && <Secret label={text('guests.link')} value={link} hint={text('guests.linkHint')} />}
      {email !== null && <p>{text('guests.mailed', { email })}</p>}
      <p>{text('guests.shownOnce')}</p>
      <Button onClick={onDone}>{text('action.done')}</Button>
    </div>
  )
}

function Secret({ label, value, hint }: { label: string; value: string; hint: string }) {
  return (
    <section className={styles.secret} aria-label={label}>
      <h3>{label}</h3>
      <code>{value}</code>
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <Button
            size="xs"
            variant="default"
            aria-label={text('guests.copy', { what: label })}
            leftSection={copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
            onClick={copy}
          >
            {text(copied ? 'action.copied' : 'action.copy')}
          </Button>
        )}
      </CopyButton>
      <p>{hint}</p>
    </section>
  )
}
