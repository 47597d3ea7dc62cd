import { Button } from '@mantine/core'
import { toast } from '../ui/toasts.ts'
import { client } from '../session/client.ts'
import { failureText } from '../session/failure-text.ts'
import { text } from '../text/text.ts'
import { useConfirmedAct } from './confirm-identity.tsx'
import { useRefreshMe } from './own-queries.ts'

/** Has codes asked for again, of the authenticator that is set up still. */
export function TurnOnMfa() {
  const refreshMe = useRefreshMe()
  const turnOn = useConfirmedAct({
    act: () => client.mfa.enable(),
    onDone() {
      void refreshMe()
      toast({ text: text('settings.mfa.turnedOn') })
    },
  })
  return (
    <>
      <Button loading={turnOn.isPending} onClick={() => turnOn.mutate()}>
        {text('settings.mfa.turnOn')}
      </Button>
      <p role="alert" className="refusal">
        {turnOn.error ? failureText(turnOn.error) : ''}
      </p>
    </>
  )
}
