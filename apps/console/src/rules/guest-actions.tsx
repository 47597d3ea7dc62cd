import { Button, Menu, Modal } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { client } from '../session/client.ts'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { messageOf } from '../ui/list-notice.tsx'
import { GuestPassShown } from './guest-pass.tsx'
import type { Rule } from './rule-cells.tsx'
import { useKeypads } from './use-keypads.ts'

/** Gives a guest a new code or a new link; the previous one no longer works. */
export function GuestActions({ rule: { _id, where } }: { rule: Rule }) {
  const canManage = [useCan('manage', 'Access Control'), useCan('manage', 'Users')].every(Boolean)
  const keypads = useKeypads(where)
  const renew = useMutation({
    mutationFn: (by: 'code' | 'link') => client.rules.renewGuest(_id, { by }),
  })
  if (!canManage) return null
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button size="xs" variant="default" loading={renew.isPending}>
            {text('guests.renew')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => renew.mutate('link')}>{text('guests.newLink')}</Menu.Item>
          {keypads.some && <Menu.Item onClick={() => renew.mutate('code')}>{text('guests.newCode')}</Menu.Item>}
        </Menu.Dropdown>
      </Menu>
      <p role="alert" className="refusal">
        {renew.error ? messageOf(renew.error) : ''}
      </p>
      {renew.data && (
        <Modal
          opened
          onClose={renew.reset}
          title={text('guests.renewed')}
          closeOnClickOutside={false}
          closeOnEscape={false}
          padding={0}
        >
          <GuestPassShown pass={renew.data} email={null} onDone={renew.reset} />
        </Modal>
      )}
    </>
  )
}
