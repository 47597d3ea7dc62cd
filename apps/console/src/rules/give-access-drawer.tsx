import { Input, Radio, SegmentedControl } from '@mantine/core'
import { rules } from '@portcullis/contract/collections/rules'
import { useState } from 'react'
import { LongTextField } from '../form/fields.tsx'
import { ItemDrawer } from '../form/item-drawer.tsx'
import { momentText, viewerZone } from '../time/time-text.ts'
import type { ValuesOf } from '../form/form-values.ts'
import { useItemForm } from '../form/use-item-form.ts'
import { MomentField } from '../form/moment-field.tsx'
import { lookAtClock, useMinute } from '../time/use-minute.ts'
import { serverNow } from '../session/server-clock.ts'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { boxOf, spans, type TimeBox } from './adhoc-state.ts'
import styles from './give-access-drawer.module.css'
import { RuleSentence } from './rule-sentence.tsx'
import type { Subject } from '../subjects/rule-subjects.ts'
import { SubjectPicker } from '../subjects/subject-picker.tsx'
import { useSubjects } from '../subjects/use-subjects.ts'
import { useZoneOf } from './use-zone-of.ts'

type Values = ValuesOf<typeof rules>
type Chosen = Omit<Parameters<typeof boxOf>[0], 'zone'>

const begins = ['now', 'later'] as const

/** The short form of temporary access: who, where and how long. Its name follows from these. */
export function GiveAccessDrawer({ onClose }: { onClose: () => void }) {
  const canManage = useCan('manage', 'Access Control')
  const [chosen, setChosen] = useState<Chosen>({ span: 'hour', from: null, until: null })
  const form = useItemForm({
    of: rules,
    item: undefined,
    check: missingEnd,
    complete: (values) => ({ adhoc: boxNow(chosen), name: nameFor(values) }),
    onSaved: () => {
      lookAtClock()
      onClose()
    },
  })
  const { who, where } = form.values
  const { nameOf } = useSubjects([...who, ...where])
  const zone = useZoneOf(where) ?? viewerZone
  const now = useMinute()
  const adhoc = boxOf({ ...chosen, zone }, now)

  /** The duration counts from saving the form, not from opening it. */
  function put(changes: Partial<Chosen>) {
    const next = { ...chosen, ...changes }
    setChosen(next)
    form.set('adhoc', boxNow(next))
  }

  function boxNow(next: Chosen): TimeBox | null {
    return boxOf({ ...next, zone }, present())
  }

  function nameFor(values: Values) {
    const box = boxNow(chosen)
    const until = box ? momentText(box.until, present()) : ''
    return text('adhoc.nameOf', { who: listed(values.who), where: listed(values.where), until })
  }

  /** The maximum length of a rule's name. */
  function listed([first, ...others]: readonly Subject[]) {
    const name = (first && nameOf(first))?.slice(0, 40) ?? ''
    return others.length === 0 ? name : text('adhoc.nameOfMore', { name, count: others.length })
  }

  return (
    <ItemDrawer form={form} title={text('adhoc.add')} canSave={canManage} onClose={onClose}>
      <SubjectPicker field={form.field('who')} label={text('rules.who')} kinds={['User', 'User Group']} canEdit />
      <SubjectPicker
        field={form.field('where')}
        label={text('rules.where')}
        kinds={['Door', 'Door Group', 'Site', 'Site Group']}
        canEdit
      />
      <div className={styles.ends}>
        <Radio.Group
          label={text('adhoc.ends')}
          error={form.field('adhoc').error}
          value={chosen.span}
          onChange={(value) => put({ span: spans.find((span) => span === value) ?? 'hour' })}
        >
          <div className={styles.spans}>
            {spans.map((span) => (
              <Radio
                key={span}
                value={span}
                label={text(`adhoc.spans.${span}`)}
                disabled={span !== 'date' && boxOf({ ...chosen, span, zone }, now) === null}
              />
            ))}
          </div>
        </Radio.Group>
        {chosen.span === 'date' && (
          <MomentField
            field={moment({ value: chosen.until, onChange: (until) => put({ until }) })}
            label={text('adhoc.endsAt')}
            zone={zone}
            isEnd
          />
        )}
        <Input.Wrapper label={text('adhoc.begins')} labelElement="div">
          <SegmentedControl
            fullWidth
            aria-label={text('adhoc.begins')}
            value={chosen.from === null ? 'now' : 'later'}
            onChange={(begin) => put({ from: begin === 'now' ? null : nextHour() })}
            data={begins.map((value) => ({ value, label: text(`adhoc.${value}`) }))}
          />
        </Input.Wrapper>
        {chosen.from !== null && (
          <MomentField
            field={moment({ value: chosen.from, onChange: (from) => put({ from: from ?? nextHour() }) })}
            label={text('adhoc.beginsAt')}
            zone={zone}
          />
        )}
      </div>
      <LongTextField
        field={form.field('note')}
        label={text('adhoc.note')}
        placeholder={text('adhoc.notePlaceholder')}
      />
      {who.length > 0 && where.length > 0 && (
        <RuleSentence rule={{ who, where, effect: 'allow', direction: 'both', adhoc, windows: undefined }} />
      )}
    </ItemDrawer>
  )
}

function missingEnd({ adhoc }: Values): Record<string, string> {
  return adhoc === null ? { adhoc: text('form.required') } : {}
}

type Moment = { value: string | null; onChange: (value: string | null) => void }

function moment({ value, onChange }: Moment) {
  return {
    name: '',
    label: '',
    hint: undefined,
    value,
    onChange,
    error: undefined,
    isRequired: true,
    isNullable: true,
    isFixed: false,
  }
}

/** By the server's clock, which all users share. */
function present() {
  return new Date(serverNow())
}

function nextHour() {
  const next = new Date()
  next.setHours(next.getHours() + 1, 0, 0, 0)
  return next.toISOString()
}
