import { makeItem, type Written } from '../collections/test-items.ts'
import type { startTestServer } from '../test-server.ts'

let count = 0

/** Two empty accounts side by side, and what asks and creates as the administrator in each. */
export async function makeTwoAccounts(server: Awaited<ReturnType<typeof startTestServer>>) {
  count += 1
  const above = `chain-${count}`
  await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: above, name: above } })
  const account = async (name: string) => {
    const ref = `${name}-${count}`
    const { _id } = await makeItem({ ask: server.in(above), collection: 'accounts', fields: { ref, name: ref } })
    const ask = server.in(ref)
    const make = async (collection: Written, fields: Record<string, unknown> = {}) =>
      (await makeItem({ ask, collection, fields }))._id
    return { _id, ref, ask, make }
  }
  return { above: server.in(above), old: await account('old'), next: await account('next') }
}
