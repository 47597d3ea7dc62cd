import { Button, Modal, VisuallyHidden } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Configuration } from '@portcullis/contract/calls/configuration'
import type { Me } from '@portcullis/contract/calls/authentication'
import { text } from '../text/text.ts'
import { client } from './client.ts'
import { consentAt, policies } from './consent.ts'
import { logFailure } from './log-failure.ts'
import { logOut } from './log-out.ts'
import styles from './updated-policies.module.css'
import { locale, policyUrl } from '../text/language.ts'

/** Shown instead of the console until its user has accepted the current policies (specification §4, Access guard). */
export function UpdatedPolicies({ policyUpdated }: { policyUpdated: Configuration['policyUpdated'] }) {
  const queryClient = useQueryClient()
  const accept = useMutation({
    mutationFn: () => client.patchMe({ consent: consentAt(new Date()) }),
    onSuccess({ user }) {
      // The server's answer replaces the user, and keeps their accounts.
      queryClient.setQueriesData<Me>(
        { queryKey: ['me'] },
        (current) => current && { ...current, user: { ...user, accounts: current.user.accounts } },
      )
    },
    onError: (error) => logFailure('Consent was not saved', error),
  })

  return (
    <Modal
      opened
      onClose={() => {}}
      title={text('updatedPolicies.title')}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <title>{`${text('updatedPolicies.title')} - ${text('product')}`}</title>
      <div className={styles.body}>
        <p>{text('updatedPolicies.hint')}</p>
        <ul className={styles.list}>
          {policies.map((policy) => (
            <li key={policy}>
              <a href={policyUrl(policy)} target="_blank" rel="noopener">
                <span>
                  {text(`policies.${policy}`)}
                  <span className="second">
                    {text('updatedPolicies.updated', { date: dayOf(policyUpdated[policy]) })}
                  </span>
                </span>
                <VisuallyHidden>{`(${text('updatedPolicies.opens')})`}</VisuallyHidden>
                <IconExternalLink size={16} aria-hidden="true" />
              </a>
            </li>
          ))}
        </ul>
      </div>
      <div className={styles.actions}>
        <Button variant="subtle" onClick={() => void logOut()}>
          {text('shell.logOut')}
        </Button>
        <Button loading={accept.isPending} onClick={() => accept.mutate()} data-autofocus>
          {text('updatedPolicies.accept')}
        </Button>
      </div>
    </Modal>
  )
}

const day = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric' })

function dayOf(moment: string) {
  return day.format(new Date(moment))
}
