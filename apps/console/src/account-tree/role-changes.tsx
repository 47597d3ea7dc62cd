import type { MovedAccount, RoleChange } from '@portcullis/contract/calls/accounts'
import { text } from '../text/text.ts'
import { NamedPeople } from './named-people.tsx'

/** The users who gain or lose access by a move, or keep it in another role. */
export function RoleChanges({ gains, loses, changes }: Pick<MovedAccount, 'gains' | 'loses' | 'changes'>) {
  return (
    <>
      {gains.count + loses.count + changes.count === 0 && <p>{text('accounts.moveNoChange')}</p>}
      <NamedPeople title={text('accounts.gains', { count: gains.count })} {...gains} wordsOf={roleChangeText} />
      <NamedPeople title={text('accounts.loses', { count: loses.count })} {...loses} wordsOf={roleChangeText} />
      <NamedPeople title={text('accounts.changes', { count: changes.count })} {...changes} wordsOf={roleChangeText} />
    </>
  )
}

function roleChangeText({ name, before, after }: RoleChange) {
  const [was, becomes] = [before, after].map((role) => (role ? text(`users.roles.${role}`) : ''))
  if (before === null) return text('accounts.roleGained', { name, after: becomes ?? '' })
  if (after === null) return text('accounts.roleLost', { name, before: was ?? '' })
  return text('accounts.roleChanged', { name, before: was ?? '', after: becomes ?? '' })
}
