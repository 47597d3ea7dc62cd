import { rules } from '@portcullis/contract/collections/rules'
import { schedules } from '@portcullis/contract/collections/schedules'
import { ruleDirections, ruleEffects } from '@portcullis/domain/policy'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Switch } from '@mantine/core'
import { DeleteButton } from '../item/delete-button.tsx'
import { ChoiceField, LongTextField, ReferenceField, SwitchField, TextField } from '../form/fields.tsx'
import { ItemDrawer } from '../form/item-drawer.tsx'
import { useItem } from '../item/use-item.ts'
import type { ValuesOf } from '../form/form-values.ts'
import { type FieldOf, useItemForm } from '../form/use-item-form.ts'
import { Week } from '../time/week.tsx'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { type Rule, useNoEffect } from './rule-cells.tsx'
import styles from './rule-drawer.module.css'
import { RuleSentence } from './rule-sentence.tsx'
import { SubjectPicker } from '../subjects/subject-picker.tsx'
import { ZonedMoment } from '../form/zoned-moment.tsx'
import { viewerZone } from '../time/time-text.ts'
import { useZoneOf } from './use-zone-of.ts'
import adhoc from './adhoc-field.module.css'

type Props = {
  item: Rule | undefined
  onClose: () => void
  /** The initial values of a new rule. */
  initial?: Partial<ValuesOf<typeof rules>>
  /** Above the form: actions on the rule that take effect at once. */
  before?: ReactNode
}

/** A rule: who may open which doors, or may not, and when; with the rule as a sentence while it is edited. */
export function RuleDrawer({ item, onClose, initial = {}, before }: Props) {
  const canManage = useCan('manage', 'Access Control')
  const form = useItemForm({ of: rules, item, initial, onSaved: onClose })
  const { who, where, effect, direction, adhoc, schedule: scheduleId } = valuesNow(form)
  const noEffect = useNoEffect({ who, where, effect, adhoc, schedule: scheduleId })
  const isBlank = !item && [...who, ...where].length === 0
  const windows = useWindows(scheduleId)
  const zone = useZoneOf(where) ?? viewerZone

  return (
    <ItemDrawer
      form={form}
      title={item?.name ?? text('rules.add')}
      canSave={canManage}
      onClose={onClose}
      width={1040}
      before={before}
      aside={canManage && item && <DeleteButton of={rules} id={item._id} name={item.name} onDeleted={onClose} />}
    >
      <div className={styles.columns}>
        <TextField field={form.field('name')} />
        <ChoiceField
          field={form.field('effect')}
          choices={ruleEffects.map((value) => ({ value, label: text(`state.${value}`) }))}
        />
        <ChoiceField
          field={form.field('direction')}
          choices={ruleDirections.map((value) => ({ value, label: text(`rules.directions.${value}`) }))}
        />
      </div>
      <div className={styles.make}>
        <div className={styles.three}>
          <section>
            <SubjectPicker
              field={form.field('who')}
              label={text('rules.who')}
              kinds={['User Group', 'User']}
              canEdit={canManage}
            />
          </section>
          <section>
            <SubjectPicker
              field={form.field('where')}
              label={text('rules.where')}
              kinds={['Door Group', 'Site', 'Door', 'Site Group']}
              canEdit={canManage}
            />
          </section>
          <section>
            <ReferenceField
              of={schedules}
              field={form.field('schedule')}
              label={text('rules.when')}
              placeholder={text('rules.always')}
            />
            {windows && <Week windows={windows} />}
          </section>
        </div>
        {noEffect && !isBlank && <NoEffect reason={text(`rules.noEffect.${noEffect}`)} />}
        <RuleSentence rule={{ who, where, effect, direction, adhoc, windows }} />
      </div>
      <div className={styles.columns}>
        <AdhocField field={form.field('adhoc')} label={text('rules.adhoc')} zone={zone} />
        <LongTextField field={form.field('note')} />
        <SwitchField field={form.field('enabled')} />
      </div>
    </ItemDrawer>
  )
}

function useWindows(schedule: string | null) {
  const { data } = useItem(schedules, schedule ?? undefined)
  return schedule === null ? undefined : data?.windows
}

function NoEffect({ reason }: { reason: string }) {
  return (
    <p className={styles.warning} role="status">
      <IconAlertTriangle size={17} aria-hidden="true" />
      {text('rules.noEffectHint', { reason })}
    </p>
  )
}

function valuesNow(form: { values: ValuesOf<typeof rules> }) {
  const { who, where, effect, schedule } = form.values
  return {
    who,
    where,
    effect,
    direction: form.values.direction ?? 'both',
    adhoc: form.values.adhoc ?? null,
    schedule: schedule ?? null,
  }
}

type Box = { from: string; until: string }

const usualMs = 8 * 3_600_000

/** The time limit of a rule: its start and end, in addition to its schedule. */
function AdhocField({ field, label, zone }: { field: FieldOf<Box | null>; label: string; zone: string }) {
  const { value, error, onChange } = field
  // Each names its own fault; an error of both is about their order.
  const isOneInvalid = value !== null && [value.from, value.until].some((moment) => Number.isNaN(Date.parse(moment)))

  function put(changes: { from?: string | null; until?: string | null }) {
    if (!value) return
    onChange({ from: changes.from ?? value.from, until: changes.until ?? value.until })
  }

  return (
    <div className={adhoc.field}>
      <Switch
        label={label}
        checked={value !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? fromNow() : null)}
      />
      {value && (
        <div className={adhoc.box}>
          <ZonedMoment label={text('rules.from')} zone={zone} value={value.from} onChange={(from) => put({ from })} />
          <ZonedMoment
            label={text('rules.until')}
            isEnd
            zone={zone}
            error={isOneInvalid ? undefined : error}
            value={value.until}
            onChange={(until) => put({ until })}
          />
        </div>
      )}
    </div>
  )
}

function fromNow(): Box {
  const now = new Date()
  now.setSeconds(0, 0)
  return { from: now.toISOString(), until: new Date(now.getTime() + usualMs).toISOString() }
}
