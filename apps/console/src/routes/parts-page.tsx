import { Button, Drawer, Group, Modal, Skeleton, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { doors } from '@portcullis/contract/collections/doors'
import { holidays } from '@portcullis/contract/collections/holidays'
import { rules } from '@portcullis/contract/collections/rules'
import { schedules } from '@portcullis/contract/collections/schedules'
import { sites } from '@portcullis/contract/collections/sites'
import { units } from '@portcullis/contract/collections/units'
import { userGroups } from '@portcullis/contract/collections/user-groups'
import { users } from '@portcullis/contract/collections/users'
import type { Collection } from '@portcullis/contract/collection'
import { type ReactNode, useState } from 'react'
import { CollectionTable } from '../list/collection-table.tsx'
import { ConflictNotice } from '../form/conflict-notice.tsx'
import { ChoiceField, LongTextField, NumberField, SwitchField, TextField, WordsField } from '../form/fields.tsx'
import { EmptyNotice, ErrorNotice } from '../ui/list-notice.tsx'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { ReferencePicker, ReferencesPicker } from '../form/reference-picker.tsx'
import { Screen } from '../ui/screen.tsx'
import { SkeletonRows } from '../ui/skeleton-rows.tsx'
import { type State, StateTag, states } from '../ui/state-tag.tsx'
import { Time } from '../time/time.tsx'
import { TimeZoneField } from '../form/time-zone-field.tsx'
import type { FieldOf } from '../form/use-item-form.ts'
import { Avatar } from '../ui/avatar.tsx'
import { BarChart } from '../ui/bar-chart.tsx'
import { MomentField } from '../form/moment-field.tsx'
import { toast } from '../ui/toasts.ts'
import { useMinute } from '../time/use-minute.ts'
import { Week } from '../time/week.tsx'
import { fieldLabel } from '../text/field-label.ts'
import { light } from '../theme/tokens.ts'
import styles from './parts-page.module.css'
import { SignInParts } from './sign-in-parts.tsx'

// For developers of screens: in English only, and open to hyper users.

const referenced: readonly [string, Collection][] = [
  ['Site', sites],
  ['Door', doors],
  ['Controller', units],
  ['Person', users],
  ['User group', userGroups],
  ['Rule', rules],
  ['Schedule', schedules],
  ['Holiday', holidays],
]

const officeHours = [
  { days: [1, 2, 3, 4, 5], start: '08:00', end: '17:30' },
  { days: [5, 6], start: '22:00', end: '02:00' },
] as const

const bars = Array.from({ length: 24 }, (_, hour) => ({
  key: String(hour),
  name: `${hour}:00`,
  values: [Math.round(40 * Math.sin(hour / 7.6) ** 2), hour % 5],
  ...(hour % 6 === 0 ? { mark: `${hour}:00` } : {}),
}))

/** Every part of the console on one page, for developers: to be viewed light and dark, wide and narrow. */
export function PartsPage() {
  return (
    <Screen title="Parts">
      <div className={styles.page}>
        <Part name="Tokens">
          <ul className={styles.tokens}>
            {Object.keys(light).map((name) => (
              <li key={name}>
                <i style={{ background: `var(--${name})` }} />
                <code>{`--${name}`}</code>
              </li>
            ))}
          </ul>
        </Part>
        <Part name="Buttons">
          <Group gap={8}>
            <Button>Save</Button>
            <Button variant="default">Cancel</Button>
            <Button variant="subtle">Show more</Button>
            <Button color="no">Delete</Button>
            <Button disabled>Save</Button>
            <Button loading>Save</Button>
            <Button size="xs" variant="default">
              Small
            </Button>
          </Group>
        </Part>
        <Part name="States">
          <Group gap={8}>
            {states.map((state: State) => (
              <StateTag key={state} state={state} />
            ))}
          </Group>
        </Part>
        <Part name="Fields">
          <Fields />
        </Part>
        <Part name="Pickers">
          <Pickers />
        </Part>
        <Part name="Time">
          <Moments />
          <Week windows={officeHours.map(({ days, ...hours }) => ({ ...hours, days: [...days] }))} />
        </Part>
        <Part name="People">
          <Group gap={8}>
            <Avatar name="Siobhán O'Reilly" />
            <Avatar name="نور الهدى" />
            <Avatar sign="unknown" />
            <Avatar sign="none" />
            <Avatar sign="unit" />
          </Group>
        </Part>
        <Part name="Session">
          <SignInParts />
        </Part>
        <Part name="Chart">
          <BarChart
            label="Granted and denied"
            bars={bars}
            series={[
              { label: 'Granted', tone: 'ok' },
              { label: 'Denied', tone: 'no' },
            ]}
          />
        </Part>
        <Part name="Drawer, confirmation, toasts">
          <Overlays />
        </Part>
        <Part name="Conflict">
          <ConflictNotice
            of={sites}
            isSaving={false}
            onLoadSaved={() => undefined}
            onSaveEdited={() => undefined}
            fields={[
              { name: 'name', before: 'Yard', saved: 'North yard', edited: 'Yard 2', isInConflict: true },
              { name: 'address', before: null, saved: 'Pier 9', edited: null, isInConflict: false },
            ]}
          />
        </Part>
        <Part name="Empty">
          <EmptyNotice
            title="No site yet"
            hint="A site is a place with doors."
            action={<Button variant="default">Add site</Button>}
          />
        </Part>
        <Part name="Loading">
          <SkeletonRows count={3} />
          <Skeleton height={12} width={200} />
          <ProgressBar label="Exporting" done={340} total={1_000} />
        </Part>
        <Part name="Error">
          <ErrorNotice error={new Error('out of order')} onRetry={() => undefined} />
        </Part>
        <Part name="Table">
          <CollectionTable
            of={sites}
            label="Sites"
            size={5}
            columns={[
              { key: 'name', label: 'Name', sort: 'name', phone: 'title', cell: ({ name }) => name },
              {
                key: 'timeZone',
                label: 'Time zone',
                sort: 'timeZone',
                phone: 'plain',
                cell: ({ timeZone }) => timeZone,
              },
            ]}
            empty={{ title: 'No site yet' }}
          />
        </Part>
      </div>
    </Screen>
  )
}

function Moments() {
  const now = useMinute()
  return (
    <p>
      <Time at="2026-03-29T00:59:59.000Z" zone="Europe/London" />, <Time at={now.toISOString()} as="time" />,{' '}
      <Time at={new Date(now.getTime() - 90_000).toISOString()} as="relative" />, <Time at={null} />
    </p>
  )
}

function Part({ name, children }: { name: string; children: ReactNode }) {
  const id = `part-${name.toLowerCase().replace(/\W+/g, '-')}`
  return (
    <section className={styles.part} aria-labelledby={id}>
      <h2 id={id}>{name}</h2>
      {children}
    </section>
  )
}

function Fields() {
  return (
    <Stack gap={16} maw={420}>
      <TextField field={useField('name', '')} label="Name" description="As it stands on the door." />
      <TextField field={{ ...useField('email', 'x'), error: 'Please enter a valid email.' }} label="Email" />
      <LongTextField field={useField<string | null>('note', null)} label="Note" />
      <NumberField field={useField<number | null>('relock', 5)} label="Locks again after" unit="s" />
      <ChoiceField
        field={useField<'allow' | 'deny'>('effect', 'allow')}
        label="Effect"
        choices={[
          { value: 'allow', label: 'Allow' },
          { value: 'deny', label: 'Deny' },
        ]}
      />
      <WordsField field={useField<string[]>('calendars', ['ZA'])} label="Holiday calendars" />
      <SwitchField field={useField<boolean>('enabled', true)} label="In use" />
      <MomentField field={useField<string | null>('until', null)} label="Valid until" />
      <TimeZoneField field={useField('timeZone', 'Africa/Johannesburg')} />
      <TextField field={{ ...useField('serial', 'A-1'), isFixed: true }} label="Serial" />
    </Stack>
  )
}

function useField<T>(name: string, initial: T): FieldOf<T> {
  const [value, onChange] = useState(initial)
  return {
    name,
    label: fieldLabel('sites', name),
    hint: undefined,
    value,
    onChange,
    error: undefined,
    isRequired: name === 'name',
    isNullable: true,
    isFixed: false,
  }
}

function Pickers() {
  const [chosen, setChosen] = useState<Record<string, string | null>>({})
  const [several, setSeveral] = useState<string[]>([])
  return (
    <div className={styles.pickers}>
      {referenced.map(([label, of]) => (
        <ReferencePicker
          key={of.name}
          of={of}
          label={label}
          value={chosen[of.name] ?? null}
          onChange={(id) => setChosen({ ...chosen, [of.name]: id })}
        />
      ))}
      <ReferencesPicker of={users} label="Several people" value={several} onChange={setSeveral} />
    </div>
  )
}

function Overlays() {
  const [isDrawerOpen, drawer] = useDisclosure(false)
  const [isConfirming, confirmation] = useDisclosure(false)
  return (
    <Group gap={8}>
      <Button variant="default" onClick={drawer.open}>
        Open drawer
      </Button>
      <Button variant="default" onClick={confirmation.open}>
        Ask
      </Button>
      <Button
        variant="default"
        onClick={() => toast({ text: 'North yard was saved', action: { label: 'Undo', run: () => undefined } })}
      >
        Say
      </Button>
      <Button variant="default" onClick={() => toast({ tone: 'refusal', text: 'Not undone. It was changed since.' })}>
        Say no
      </Button>
      <Drawer
        opened={isDrawerOpen}
        onClose={drawer.close}
        title="North yard"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        The item's form.
      </Drawer>
      <Modal opened={isConfirming} onClose={confirmation.close} title="Delete North yard?" withCloseButton={false}>
        <p className="soft">You can undo this right afterwards.</p>
        <Group justify="flex-end" gap={8} mt="md">
          <Button variant="default" onClick={confirmation.close}>
            Cancel
          </Button>
          <Button color="no" onClick={confirmation.close}>
            Delete
          </Button>
        </Group>
      </Modal>
    </Group>
  )
}
