import { Button } from '@mantine/core'
import type { OutboxMail } from '@portcullis/contract/calls/outbox'
import { useId, useState } from 'react'
import { type State, StateTag } from '../ui/state-tag.tsx'
import { Time } from '../time/time.tsx'
import { text } from '../text/text.ts'
import { MailText } from './mail-text.tsx'
import styles from './outbox.module.css'

const looks: Record<OutboxMail['status'], State> = {
  waiting: 'waiting',
  sent: 'confirmed',
  kept: 'out_of_service',
  failed: 'refused',
}

/** One mail: what, to whom, when, what became of it and why; its text where it is kept here. */
export function OutboxMailRow({ mail }: { mail: OutboxMail }) {
  const { to, subject, createdAt, status, attempts, problem, text: said } = mail
  const [isShown, setShown] = useState(false)
  const id = useId()
  const what = text(isShown ? 'outbox.hide' : 'outbox.show')
  return (
    <li>
      <div className={styles.row}>
        <span className={styles.what}>
          <b>{subject}</b>
          <bdi className="second">{to}</bdi>
        </span>
        <span className={styles.state}>
          <StateTag state={looks[status]}>{text(`outbox.states.${status}`)}</StateTag>
          {(attempts > 1 || problem !== null) && (
            <span className="soft">{text('outbox.attempts', { count: attempts })}</span>
          )}
        </span>
        <span className={styles.at}>
          <Time at={createdAt} />
        </span>
        {said !== null && (
          <Button
            className={styles.show}
            size="xs"
            variant="default"
            aria-expanded={isShown}
            aria-controls={id}
            aria-label={text('outbox.ofMail', { what, subject, to })}
            onClick={() => setShown(!isShown)}
          >
            {what}
          </Button>
        )}
      </div>
      {problem && <p className={styles.problem}>{problem}</p>}
      <div id={id} hidden={!isShown}>
        {isShown && said !== null && <MailText text={said} />}
      </div>
    </li>
  )
}
