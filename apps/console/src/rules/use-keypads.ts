import { doors } from '@portcullis/contract/collections/doors'
import type { Where } from '@portcullis/domain/policy'
import { conjunction } from '../text/catalogue.ts'
import { text } from '../text/text.ts'
import { useWhole } from '../subjects/use-whole.ts'

/** Whether a code opens some of the doors, and a hint that names those that it does not open. */
export function useKeypads(where: readonly Where[]) {
  const { byId } = useWhole(doors)
  const chosen = where.flatMap(({ id }) => byId.get(id) ?? [])
  const without = chosen.filter(({ acceptsPinAlone }) => !acceptsPinAlone)
  const some = without.length < chosen.length
  if (chosen.length === 0) return { some, hint: text('guests.byCodeHint') }
  if (!some) return { some, hint: text('guests.noKeypad') }
  if (without.length === 0) return { some, hint: text('guests.byCodeHint') }
  return {
    some,
    hint: text('guests.notAt', { doors: conjunction.format(without.map(({ name }) => name)) }),
  }
}
