import { Button, CopyButton } from '@mantine/core'
import { text } from '../text/text.ts'
import styles from './outbox.module.css'

/** What a mail says, its links to follow and to copy. */
export function MailText({ text: said }: { text: string }) {
  const links = said.match(link) ?? []
  return (
    <div className={styles.mail}>
      <p className={styles.text}>
        {said.split(link).map((words, index) => (
          <span key={index}>
            {words}
            {links[index] && <a href={links[index]}>{links[index]}</a>}
          </span>
        ))}
      </p>
      {links.map((each) => (
        <div key={each} className={styles.copy}>
          <CopyButton value={each}>
            {({ copied, copy }) => (
              <Button size="xs" variant="default" onClick={copy}>
                {text(copied ? 'action.copied' : 'outbox.copyLink')}
              </Button>
            )}
          </CopyButton>
          <span className="soft">{text('outbox.secret')}</span>
        </div>
      ))}
    </div>
  )
}

const link = /https?:\/\/[^\s<>"]+/gu
