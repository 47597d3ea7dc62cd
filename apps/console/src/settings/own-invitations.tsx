import { Button, Group } from '@mantine/core'
import type { OwnInvitation } from '@portcullis/contract/calls/memberships'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { client } from '../session/client.ts'
import { failureText } from '../session/failure-text.ts'
import { hierarchyQuery } from '../session/me-query.ts'
import { text } from '../text/text.ts'
import { toast } from '../ui/toasts.ts'
import { useSinglePress } from '../ui/use-single-press.ts'
import { ownInvitationsQuery, useRefreshMe } from './own-queries.ts'
import { SettingsSection } from './settings-section.tsx'
import styles from './settings-rows.module.css'

/** The accounts that have invited the user, who accepts or declines each. */
export function OwnInvitations() {
  const { data } = useQuery(ownInvitationsQuery)
  if (!data || data.items.length === 0) return null
  return (
    <SettingsSection title={text('settings.invitations.title')} hint={text('settings.invitations.hint')}>
      <ul className={styles.rows}>
        {data.items.map((invitation) => (
          <Invitation key={invitation._id} invitation={invitation} />
        ))}
      </ul>
    </SettingsSection>
  )
}

function Invitation({ invitation: { _id, account, role, invitedBy } }: { invitation: OwnInvitation }) {
  const queryClient = useQueryClient()
  const refreshMe = useRefreshMe()
  const answering = useMutation({
    mutationFn: (accept: boolean) => client.memberships.answer(_id, { accept }),
    async onSuccess(_, accept) {
      toast({ text: text(accept ? 'settings.invitations.accepted' : 'settings.invitations.declined', { account }) })
      await Promise.all([refreshMe(), queryClient.invalidateQueries(hierarchyQuery())])
    },
    onSettled: () => queryClient.invalidateQueries(ownInvitationsQuery),
  })
  const accept = useSinglePress(() => answering.mutateAsync(true))
  const decline = useSinglePress(() => answering.mutateAsync(false))
  return (
    <li>
      <span className={styles.main}>
        <b>
          <bdi>{account}</bdi>
        </b>
        <span className="second">
          {text('settings.invitations.from', { role: text(`users.roles.${role}`), name: invitedBy })}
        </span>
      </span>
      <Group gap={8}>
        <Button variant="default" disabled={answering.isPending} onClick={decline}>
          {text('settings.invitations.decline')}
        </Button>
        <Button loading={answering.isPending} onClick={accept}>
          {text('settings.invitations.accept')}
        </Button>
      </Group>
      <p role="alert" className="refusal">
        {answering.error ? failureText(answering.error) : ''}
      </p>
    </li>
  )
}
