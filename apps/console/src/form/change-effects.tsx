import type { Collection } from '@portcullis/contract/collection'
import { AccessEffects } from '../item/access-effects.tsx'
import { client } from '../session/client.ts'
import { useAccount } from '../session/session-context.tsx'
import type { ItemForm } from './use-item-form.ts'

/** Who would gain and lose access if the form were saved now, when the user asks. */
export function ChangeEffects<C extends Collection>({ form }: { form: ItemForm<C> }) {
  const { ref: account } = useAccount()
  if (!form.isDirty) return null

  function ask() {
    const fields = form.toTry()
    return fields && client.of(form.of).preview({ id: form.id, fields }, { account })
  }

  return <AccessEffects of={form.of} change={form.values} ask={ask} />
}
