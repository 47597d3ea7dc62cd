import { rules } from '@portcullis/contract/collections/rules'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { OpenItem } from '../item/open-item.tsx'
import { useCan } from '../session/session-context.tsx'
import { DisableRule } from './disable-rule.tsx'
import type { Rule } from './rule-cells.tsx'
import { RuleDrawer } from './rule-drawer.tsx'

type Search = Record<string, string | undefined>

/** The rule in the address, or a new one for the user or at the door there. */
export function RuleInAddress({ onClose }: { onClose?: () => void }) {
  const { user, door }: Search = useSearch({ strict: false })
  const navigate = useNavigate()
  const initial = {
    ...(user === undefined ? {} : { who: [{ kind: 'User' as const, id: user }] }),
    ...(door === undefined ? {} : { where: [{ kind: 'Door' as const, id: door }] }),
  }

  function close() {
    void navigate({
      to: '.',
      search: ({ open: _open, user: _user, door: _door, ...others }: Search) => others,
      resetScroll: false,
    })
    onClose?.()
  }

  return (
    <OpenItem of={rules}>
      {({ item }) => (
        <RuleDrawer item={item} initial={initial} onClose={close} before={<Disable rule={item} onDisabled={close} />} />
      )}
    </OpenItem>
  )
}

function Disable({ rule, onDisabled }: { rule: Rule | undefined; onDisabled: () => void }) {
  const canManage = useCan('manage', 'Access Control')
  if (!rule?.enabled || !canManage) return null
  const { _id, name, effect } = rule
  return <DisableRule id={_id} name={name} effect={effect} onDisabled={onDisabled} />
}
