import { Select } from '@mantine/core'
import { type Language, languageCodes, languages } from '@portcullis/contract/languages'
import { useMutation } from '@tanstack/react-query'
import { client } from '../session/client.ts'
import { useSession } from '../session/session-context.tsx'
import { failureText } from '../session/failure-text.ts'
import { chooseLanguage } from '../text/language.ts'
import { text } from '../text/text.ts'
import { toast } from '../ui/toasts.ts'
import { useStoreMe } from './own-queries.ts'
import { SettingsSection } from './settings-section.tsx'

/** The language of the console and of emails. Each language is listed by its own name, so that its readers find it. */
export function OwnLanguage() {
  const { user } = useSession()
  const storeMe = useStoreMe()
  const save = useMutation({
    mutationFn: (language: Language | null) => client.patchMe({ language }),
    onSuccess(me) {
      storeMe(me)
      if (chooseLanguage(me.user.language)) location.reload()
      else toast({ text: text('settings.saved') })
    },
  })
  const chosen = save.isPending ? save.variables : user.language
  return (
    <SettingsSection title={text('settings.language.title')} hint={text('settings.language.hint')}>
      <Select
        name="language"
        label={text('settings.language.label')}
        allowDeselect={false}
        disabled={save.isPending}
        data={[
          { value: ofBrowser, label: text('settings.language.browser') },
          ...languageCodes.map((code) => ({ value: code, label: languages[code] })),
        ]}
        value={chosen ?? ofBrowser}
        onChange={(value) => save.mutate(languageCodes.find((code) => code === value) ?? null)}
        error={save.error && failureText(save.error)}
      />
    </SettingsSection>
  )
}

const ofBrowser = 'browser'
