import { rules } from '@portcullis/contract/collections/rules'
import { type ReactNode, useState } from 'react'
import { LongTextField } from '../form/fields.tsx'
import { ItemDrawer } from '../form/item-drawer.tsx'
import { momentText, viewerZone } from '../time/time-text.ts'
import type { ValuesOf } from '../form/form-values.ts'
import { useItemForm } from '../form/use-item-form.ts'
import { lookAtClock, useMinute } from '../time/use-minute.ts'
import { serverNow } from '../session/server-clock.ts'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { boxOf, type TimeBox } from './adhoc-state.ts'
import { boxFromNow, firstHours, type Hours, HoursFields } from './hours-fields.tsx'
import { RuleSentence } from './rule-sentence.tsx'
import type { Subject } from '../subjects/rule-subjects.ts'
import { SubjectPicker } from '../subjects/subject-picker.tsx'
import { useSubjects } from '../subjects/use-subjects.ts'
import { useZoneOf } from './use-zone-of.ts'

type Values = ValuesOf<typeof rules>

/** The short form of temporary access: who, where and how long. Its name follows from these. */
export function GiveAccessDrawer({ onClose, before }: { onClose: () => void; before?: ReactNode }) {
  const canManage = useCan('manage', 'Access Control')
  const [hours, setHours] = useState(firstHours)
  const form = useItemForm({
    of: rules,
    item: undefined,
    check: missingEnd,
    complete: (values) => ({ adhoc: boxNow(hours), name: nameFor(values) }),
    onSaved: () => {
      lookAtClock()
      onClose()
    },
  })
  const { who, where } = form.values
  const { nameOf } = useSubjects([...who, ...where])
  const zone = useZoneOf(where) ?? viewerZone
  const now = useMinute()
  const adhoc = boxOf({ ...hours, zone }, now)

  /** The duration counts from saving the form, not from opening it. */
  function putHours(next: Hours) {
    setHours(next)
    form.set('adhoc', boxNow(next))
  }

  function boxNow(next: Hours): TimeBox | null {
    return boxFromNow(next, zone)
  }

  function nameFor(values: Values) {
    const box = boxNow(hours)
    const until = box ? momentText(box.until, new Date(serverNow())) : ''
    return text('adhoc.nameOf', { who: listed(values.who), where: listed(values.where), until })
  }

  /** The maximum length of a rule's name. */
  function listed([first, ...others]: readonly Subject[]) {
    const name = (first && nameOf(first))?.slice(0, 40) ?? ''
    return others.length === 0 ? name : text('adhoc.nameOfMore', { name, count: others.length })
  }

  return (
    <ItemDrawer form={form} title={text('adhoc.add')} canSave={canManage} onClose={onClose} before={before}>
      <SubjectPicker field={form.field('who')} label={text('rules.who')} kinds={['User', 'User Group']} canEdit />
      <SubjectPicker
        field={form.field('where')}
        label={text('rules.where')}
        kinds={['Door', 'Door Group', 'Site', 'Site Group']}
        canEdit
      />
      <HoursFields hours={hours} zone={zone} error={form.field('adhoc').error} onChange={putHours} />
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
