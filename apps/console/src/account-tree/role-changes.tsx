import type { MovedAccount, RoleChange } from '@portcullis/contract/calls/accounts'
import { text } from '../text/text.ts'
import { NamedPeople } from './named-people.tsx'

type Props = Pick<MovedAccount, 'gains' | 'loses' | 'changes'> & {
  /** What moves. */
  of: 'accounts' | 'units' | 'sites'
}

/** The users who begin or cease to see what moves, or see it in another role. */
export function RoleChanges({ of, gains, loses, changes }: Props) {
  return (
    <>
      {gains.count + loses.count + changes.count === 0 && <p>{text(`${of}.moveNoChange`)}</p>}
      <NamedPeople title={text(`${of}.gains`, { count: gains.count })} {...gains} wordsOf={roleChangeText} />
      <NamedPeople title={text(`${of}.loses`, { count: loses.count })} {...loses} wordsOf={roleChangeText} />
      <NamedPeople title={text(`${of}.changes`, { count: changes.count })} {...changes} wordsOf={roleChangeText} />
    </>
  )
}

function roleChangeText({ name, before, after }: RoleChange) {
  const [was, becomes] = [before, after].map((role) => (role ? text(`users.roles.${role}`) : ''))
  if (before === null) return text('accounts.roleGained', { name, after: becomes ?? '' })
  if (after === null) return text('accounts.roleLost', { name, before: was ?? '' })
  return text('accounts.roleChanged', { name, before: was ?? '', after: becomes ?? '' })
}
