import { Button, TextInput } from '@mantine/core'
import { patchMe } from '@portcullis/contract/calls/own-account'
import { fieldProblem } from '@portcullis/contract/errors/field-problem'
import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { toast } from '../ui/toasts.ts'
import { client } from '../session/client.ts'
import { useSession } from '../session/session-context.tsx'
import { problemText } from '../text/error-text.ts'
import { text } from '../text/text.ts'
import { fieldFailure } from './field-failure.ts'
import { useStoreMe } from './own-queries.ts'
import { SettingsActions, SettingsSection } from './settings-section.tsx'

export function OwnName() {
  const { user } = useSession()
  const storeMe = useStoreMe()
  const [typed, setTyped] = useState<string>()
  const name = typed ?? user.name
  const save = useMutation({
    mutationFn: () => client.patchMe({ name }),
    onSuccess(me) {
      storeMe(me)
      setTyped(undefined)
      toast({ text: text('settings.saved') })
    },
  })
  const checked = patchMe.input.safeParse({ name }, { reportInput: true })
  const [issue] = checked.error?.issues ?? []
  const isChanged = name.trim() !== user.name
  const failure = save.error ? fieldFailure(save.error, 'name') : undefined

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (isChanged && checked.success && !save.isPending) save.mutate()
  }

  return (
    <SettingsSection title={text('settings.name.title')} hint={text('settings.name.hint')}>
      <form onSubmit={submit} noValidate>
        <TextInput
          name="name"
          label={text('settings.name.label')}
          autoComplete="name"
          value={name}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            save.reset()
          }}
          error={failure ?? (isChanged && issue && problemText(fieldProblem(issue)))}
        />
        <SettingsActions>
          <Button type="submit" loading={save.isPending} disabled={!isChanged || !checked.success}>
            {text('action.save')}
          </Button>
        </SettingsActions>
      </form>
    </SettingsSection>
  )
}
