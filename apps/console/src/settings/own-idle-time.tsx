import { Button, NumberInput } from '@mantine/core'
import { users } from '@portcullis/contract/collections/users'
import { problem } from '@portcullis/contract/errors/problem'
import { type SubmitEvent, useState } from 'react'
import { usePatch } from '../item/use-save.ts'
import { toast } from '../ui/toasts.ts'
import { useCan, useSession } from '../session/session-context.tsx'
import { problemText } from '../text/error-text.ts'
import { text } from '../text/text.ts'
import { fieldFailure } from './field-failure.ts'
import { useRefreshMe } from './own-queries.ts'
import { SettingsActions, SettingsSection } from './settings-section.tsx'

const least = 5
const most = 86_400

/** The time without activity until the user is asked. Users with permission change it, in an account that supports idle times. */
export function OwnIdleTime() {
  const { user, account } = useSession()
  const mayManage = [useCan('manage', 'idleTime'), useCan('manage', 'Users')].every(Boolean)
  const isMember = user.accounts.some(({ ref }) => ref === account.ref)
  return (
    <SettingsSection title={text('settings.idle.title')} hint={text('settings.idle.hint')}>
      {mayManage && isMember ? (
        <IdleTimeForm key={user.idleTime} />
      ) : (
        <>
          <p>{inWords(user.idleTime)}</p>
          <p className="soft">{text(mayManage ? 'settings.idle.elsewhere' : 'settings.idle.fixed')}</p>
        </>
      )}
    </SettingsSection>
  )
}

function IdleTimeForm() {
  const { user } = useSession()
  const [seconds, setSeconds] = useState<string | number>(user.idleTime)
  const patch = usePatch(users)
  const refreshMe = useRefreshMe()
  const idleTime = users.fields.optional.idleTime.safeParse(seconds)
  const isChanged = seconds !== user.idleTime

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (!isChanged || !idleTime.success || patch.isPending) return
    patch.mutate(
      { id: user._id, changes: { idleTime: idleTime.data } },
      {
        onSuccess() {
          void refreshMe()
          toast({ text: text('settings.saved') })
        },
      },
    )
  }

  return (
    <form onSubmit={submit} noValidate>
      <NumberInput
        name="idleTime"
        label={text('settings.idle.label')}
        description={
          idleTime.success
            ? text('settings.idle.makes', { time: inWords(idleTime.data) })
            : text('settings.idle.bounds', { least, most })
        }
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        allowDecimal={false}
        allowNegative={false}
        hideControls
        inputMode="numeric"
        value={seconds}
        onChange={(value) => {
          setSeconds(value)
          patch.reset()
        }}
        error={
          patch.error ? fieldFailure(patch.error, 'idleTime') : !idleTime.success && problemText(problem('invalid'))
        }
      />
      <SettingsActions>
        <Button type="submit" loading={patch.isPending} disabled={!isChanged || !idleTime.success}>
          {text('action.save')}
        </Button>
      </SettingsActions>
    </form>
  )
}

/** In the largest unit without a remainder. */
function inWords(seconds: number) {
  if (seconds % 3_600 === 0) return text('why.duration.hours', { count: seconds / 3_600 })
  if (seconds % 60 === 0) return text('why.duration.minutes', { count: seconds / 60 })
  return text('why.duration.seconds', { count: seconds })
}
