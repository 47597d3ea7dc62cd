import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ErrorNotice } from '../ui/list-notice.tsx'
import { SkeletonRows } from '../ui/skeleton-rows.tsx'
import { toast } from '../ui/toasts.ts'
import { client } from '../session/client.ts'
import { text } from '../text/text.ts'
import { AskingButton } from './asking-button.tsx'
import { ownSessionsQuery } from './own-queries.ts'
import { SessionList } from './session-list.tsx'
import { SettingsPanel, SettingsSection } from './settings-section.tsx'
import { SignInHistory } from './sign-in-history.tsx'

/** Where one is signed in, and where it was tried. */
export function OwnSessions() {
  const sessions = useQuery(ownSessionsQuery)
  const queryClient = useQueryClient()
  const others = sessions.data?.filter(({ current }) => !current) ?? []
  return (
    <SettingsPanel>
      <SettingsSection title={text('settings.sessions.title')} hint={text('settings.sessions.hint')}>
        {sessions.isPending && <SkeletonRows count={2} />}
        {sessions.isError && !sessions.data && (
          <ErrorNotice error={sessions.error} onRetry={() => void sessions.refetch()} />
        )}
        {sessions.data && <SessionList sessions={sessions.data} />}
        {sessions.data && others.length === 0 && <p className="soft">{text('settings.sessions.onlyHere')}</p>}
        {others.length > 0 && (
          <AskingButton
            label={text('settings.sessions.endOthers')}
            title={text('settings.sessions.endOthersTitle')}
            hint={text('settings.sessions.endOthersHint')}
            tone="danger"
            act={() => client.sessions.endOthers()}
            onDone={({ ended }) => {
              void queryClient.invalidateQueries(ownSessionsQuery)
              toast({ text: text('settings.sessions.endedOthers', { count: ended }) })
            }}
          />
        )}
      </SettingsSection>
      <SignInHistory />
    </SettingsPanel>
  )
}
