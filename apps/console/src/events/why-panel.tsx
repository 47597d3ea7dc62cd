import { Button, CloseButton, Group } from '@mantine/core'
import { doors } from '@portcullis/contract/collections/doors'
import { schedules } from '@portcullis/contract/collections/schedules'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { StateTag } from '../ui/state-tag.tsx'
import { viewerZone, zoneInWords } from '../time/time-text.ts'
import { useItem } from '../item/use-item.ts'
import { useLive } from '../item/use-live.ts'
import { UnknownCard } from '../cards/assign-card.tsx'
import { unknownCard } from '../cards/unknown-card.ts'
import { CheckList } from '../why/check-list.tsx'
import { windowsInWords } from '../time/hours-in-words.ts'
import { isInterlock } from '../commands/delivery-fault-text.ts'
import { InterlockNow } from '../commands/interlock-now.tsx'
import { UnlockOnce } from '../commands/unlock-once.tsx'
import { useAccount, useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { outcomeOf } from './event-words.ts'
import { parseFindings } from '../why/finding-facts.ts'
import { PhraseText, screenOf, useMayOpen } from '../ui/phrase-text.tsx'
import styles from './why-panel.module.css'
import { whySentences } from './why-sentences.ts'
import { WhyThen } from './why-then.tsx'
import type { Event } from '../why/explanation.ts'

/** Why an event ended as it did: in sentences, then check by check, then the possible actions. */
export function WhyPanel({ event, onClose }: { event: Event; onClose: () => void }) {
  const hoursOf = useHours(event)
  const { headline, story, checks } = whySentences({ event, viewerZone, hoursOf })
  const { state, word } = outcomeOf(event)
  const { timeZone } = event.data.names
  const card = unknownCard(event)
  const seesUsers = useCan('view', 'Users')

  return (
    <article className={styles.panel} aria-labelledby="why">
      <header className={styles.head}>
        <div className={styles.top}>
          <StateTag state={state}>{word}</StateTag>
          <CloseButton aria-label={text('action.close')} onClick={onClose} />
        </div>
        <h2 id="why">
          <bdi>{headline}</bdi>
        </h2>
        <p>
          {story.map((sentence, index) => (
            <span key={`${index}`}>
              <PhraseText phrase={sentence} />{' '}
            </span>
          ))}
        </p>
        {timeZone && timeZone !== viewerZone && (
          <p className={styles.zone}>
            {text('why.siteTime', { zone: zoneInWords(timeZone, new Date(event.occurredAt)) })}
          </p>
        )}
      </header>
      {event.door && isInterlock(event.reason) && <InterlockNow door={event.door} className={styles.interlock} />}
      <div className={styles.body}>
        {card && seesUsers && <UnknownCard card={card} />}
        {checks.length > 0 && <CheckList checks={checks} />}
        {event.category === 'access' && event.outcome !== null && <WhyThen event={event} />}
      </div>
      <Actions event={event} />
    </article>
  )
}

function Actions({ event }: { event: Event }) {
  const mayOpen = useMayOpen()
  const seesUnits = useCan('view', 'Controllers')
  const { ref } = useAccount()
  const navigate = useNavigate()
  const rule = ruleOf(event)
  const { door, user, unit } = event
  const buttons: ReactNode[] = []

  function open(kind: 'rule' | 'user', id: string) {
    const to: string = `/${ref}${screenOf[kind]}`
    void navigate({ to, search: { open: id } })
  }

  if (door) buttons.push(<UnlockDoor key="door" _id={door} unit={unit} name={event.data.names.door ?? ''} />)
  if (rule && mayOpen.rule) {
    buttons.push(
      <Button key="rule" variant="default" onClick={() => open('rule', rule)}>
        {text('why.openRule')}
      </Button>,
    )
  }
  if (user && mayOpen.user) {
    buttons.push(
      <Button key="user" variant="default" onClick={() => open('user', user)}>
        {text('why.openPerson')}
      </Button>,
    )
  }
  if (unit && seesUnits && isExplainedByUnit(event)) {
    const to: string = `/${ref}/units/${unit}`
    buttons.push(
      <Button key="unit" variant="default" onClick={() => void navigate({ to })}>
        {text('why.openUnit')}
      </Button>,
    )
  }
  return (
    buttons.length > 0 && (
      <Group className={styles.actions} gap={8}>
        {buttons}
      </Group>
    )
  )
}

/** Unlocks the door once, unless it is in a lockdown now. */
function UnlockDoor(door: { _id: string; unit: string | null; name: string }) {
  const seesDoors = useCan('view', doors.subject)
  const { data } = useItem(doors, seesDoors ? door._id : undefined)
  useLive(doors, { newcomers: 'stay' })
  return <UnlockOnce door={{ ...door, lockdowns: data?.lockdowns ?? [] }} />
}

/** Whether the state of the controller explains the decision. */
function isExplainedByUnit({ reason, data }: Event) {
  return reason === 'unit_out_of_step' || data.note?.code === 'left_out'
}

/** The rule that decided: the one that denies, otherwise the nearest that allows. */
function ruleOf({ reasons }: Event) {
  const found = parseFindings(reasons).filter(({ facts }) => facts.rule)
  return (found.find(({ outcome }) => outcome === 'refused') ?? found[0])?.facts.rule?._id
}

/** The hours of the schedule that decided; omitted where it was changed since. */
function useHours(event: Event) {
  const mayOpen = useMayOpen()
  const id = parseFindings(event.reasons).find(({ step }) => step === 'allow_rule')?.facts.schedule?._id
  const { data } = useItem(schedules, mayOpen.schedule ? id : undefined)
  const isAsThen = data && Date.parse(data.updatedAt) <= Date.parse(event.occurredAt)
  return (schedule: string) => (isAsThen && schedule === data._id ? windowsInWords(data.windows) : undefined)
}
