import { collections } from '@portcullis/client/collections'
import { Live } from '@portcullis/client/live'
import { signedInClient } from '@portcullis/client/signed-in-client'

const { PORTCULLIS_URL: baseUrl = 'http://localhost:3000', EMAIL: email = '', PASSWORD: password = '' } = process.env
const { client, currentUser, headers } = await signedInClient({ baseUrl, email, password })
setInterval(() => void client.activity(), 60_000)
const accountRef = (await client.me()).account?.ref ?? ''
console.log(`Signed in as ${currentUser.name}, in ${accountRef}.`)

const { items } = await client.of(collections.doors).list({ sort: { prop: 'name', dir: 'asc' }, size: 100 })
for (const { name, mode, state } of items) console.log(`Door ${name}: ${mode}, ${state}`)

const onGap = () => console.log('Following events. Press Ctrl+C to stop.')
const onSave = (item: unknown) => {
  const { type, door, occurredAt } = collections.events.entitySchema.parse(item)
  console.log(`${occurredAt} ${type} at ${items.find(({ _id }) => _id === door)?.name ?? 'no door of the list'}`)
}
const live = new Live({ baseUrl, appVersion: 'list-doors', headers })
live.follow({ entity: 'event', accountRef, onSave, onRemove() {}, onGap })
