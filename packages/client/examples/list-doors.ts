import { Live } from '@portcullis/client/live'
import { signedInClient } from '@portcullis/client/signed-in-client'
import { doors } from '@portcullis/contract/collections/doors'
import { events } from '@portcullis/contract/collections/events'

const { PORTCULLIS_URL: baseUrl = 'http://localhost:3000', ACCOUNT, EMAIL = '', PASSWORD = '' } = process.env

const account = () => ACCOUNT ?? null
const { client, currentUser, headers } = await signedInClient({ baseUrl, email: EMAIL, password: PASSWORD, account })
const accountRef = ACCOUNT ?? (await client.me()).account?.ref ?? ''
console.log(`Signed in as ${currentUser.name}, in ${accountRef}.`)

const { items } = await client.of(doors).list({ sort: { prop: 'name', dir: 'asc' }, size: 100 })
for (const { name, mode, state } of items) console.log(`Door ${name}: ${mode}, ${state}`)
const nameOf = new Map(items.map(({ _id, name }) => [_id, name]))

const live = new Live({ baseUrl, appVersion: 'list-doors', headers })
live.follow({
  entity: events.entity,
  accountRef,
  onSave(item) {
    const { type, door, occurredAt } = events.entitySchema.parse(item)
    console.log(`${occurredAt} ${type} at ${nameOf.get(door ?? '') ?? 'no door'}`)
  },
  onRemove() {},
  onGap: () => console.log('Following events. Press Ctrl+C to stop.'),
})
