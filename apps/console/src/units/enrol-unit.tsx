import { Button, CopyButton, Group, Modal } from '@mantine/core'
import type { EntityOf } from '@portcullis/contract/collection'
import type { units } from '@portcullis/contract/collections/units'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { messageOf } from '../ui/list-notice.tsx'
import { useSinglePress } from '../ui/use-single-press.ts'
import { StateTag } from '../ui/state-tag.tsx'
import { TextWith } from '../ui/text-with.tsx'
import { Time } from '../time/time.tsx'
import { client } from '../session/client.ts'
import { text } from '../text/text.ts'
import styles from './enrol-unit.module.css'

type Unit = EntityOf<typeof units>
type Issued = { code: string; expiresAt: string }

/** The time of enrolment is the server's, the time of the code request the browser's. */
const clockToleranceMs = 120_000

type Props = {
  unit: Unit /** `first`: offered until the controller is enrolled; `again`: afterwards. */
  offers: 'first' | 'again'
}

/** Creates the one-time code with which a controller enrols. Its dialog stays open when the controller has enrolled. */
export function EnrolUnit({ unit, offers }: Props) {
  const enrol = useMutation({ mutationFn: () => client.enrolUnit(unit._id) })
  const press = useSinglePress(() => enrol.mutateAsync())
  return (
    <>
      {(offers === 'first') === (unit.enrolledAt === null) && (
        <Button variant={offers === 'first' ? 'filled' : 'default'} loading={enrol.isPending} onClick={press}>
          {text(offers === 'first' ? 'units.enrol' : 'units.enrolAgain')}
        </Button>
      )}
      {enrol.isError && (
        <p role="alert" className="refusal">
          {messageOf(enrol.error)}
        </p>
      )}
      {enrol.data && (
        <EnrolmentDialog unit={unit} issued={enrol.data} since={enrol.submittedAt} onClose={enrol.reset}>
          <Button variant="default" loading={enrol.isPending} onClick={press}>
            {text('units.newCode')}
          </Button>
        </EnrolmentDialog>
      )}
    </>
  )
}

type DialogProps = { unit: Unit; issued: Issued; since: number; onClose: () => void; children?: ReactNode }

/** Shows a code, and how far the controller that uses it has come. */
export function EnrolmentDialog({ unit, issued, since, onClose, children }: DialogProps) {
  return (
    <Modal
      opened
      onClose={onClose}
      title={text('units.enrolTitle', { name: unit.name })}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': text('action.close') }}
      zIndex={400}
    >
      <Code unit={unit} {...issued} />
      <Steps unit={unit} since={since} />
      <Group justify="flex-end" gap={8} mt="lg">
        {children}
        <Button onClick={onClose}>{text('action.done')}</Button>
      </Group>
    </Modal>
  )
}

/** The progress of the enrolment, which the controller continues by itself. */
function Steps({ unit, since }: { unit: Unit; since: number }) {
  const { enrolledAt, status, desiredVersion, appliedVersion } = unit
  const isIntroduced = enrolledAt !== null && Date.parse(enrolledAt) >= since - clockToleranceMs
  const isOnline = isIntroduced && status === 'online'
  const isInStep = isOnline && desiredVersion !== null && appliedVersion === desiredVersion
  const steps = [
    { words: text('units.stepCode'), isDone: true },
    { words: text('units.stepIntroduced'), isDone: isIntroduced },
    { words: text('units.stepOnline'), isDone: isOnline },
    { words: text('units.stepInStep'), isDone: isInStep },
  ]
  return (
    <ol className={styles.steps} aria-live="polite" aria-label={text('units.steps')}>
      {steps.map(({ words, isDone }) => (
        <li key={words}>
          <StateTag state={isDone ? 'confirmed' : 'waiting'}>{words}</StateTag>
        </li>
      ))}
    </ol>
  )
}

function Code({ unit, code, expiresAt }: Issued & { unit: Unit }) {
  return (
    <>
      <p className="soft">{text('units.enrolSteps')}</p>
      <dl className={styles.facts}>
        <dt>{text('units.server')}</dt>
        <dd>{`${location.origin.replace(/^http/, 'ws')}/units`}</dd>
        <dt>{text('units.serial')}</dt>
        <dd>{unit.serial}</dd>
        <dt>{text('units.code')}</dt>
        <dd className={styles.code}>
          <code>{code}</code>
          <CopyButton value={code}>
            {({ copied, copy }) => (
              <Button
                size="xs"
                variant="default"
                aria-label={text('units.copyCode')}
                leftSection={copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
                onClick={copy}
              >
                {copied ? text('action.copied') : text('action.copy')}
              </Button>
            )}
          </CopyButton>
        </dd>
      </dl>
      <p className={styles.until}>
        <TextWith of="units.validUntil" values={{ time: <Time at={expiresAt} as="time" /> }} />
      </p>
      {unit.enrolledAt && <p className="soft">{text('units.enrolAgainHint')}</p>}
    </>
  )
}
