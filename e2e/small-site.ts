import type { Client } from '@portcullis/client/client'
import { credentials } from '@portcullis/contract/collections/credentials'
import { doors } from '@portcullis/contract/collections/doors'
import { rules } from '@portcullis/contract/collections/rules'
import { sites } from '@portcullis/contract/collections/sites'
import { units } from '@portcullis/contract/collections/units'
import { userGroups } from '@portcullis/contract/collections/user-groups'
import { users } from '@portcullis/contract/collections/users'
import type { ControlClient } from '@portcullis/controllers/control-client'
import { expect } from '@playwright/test'

type MakeSmallSiteInput = { client: Client; control: ControlClient; serial: string }

/** A site with one controller, enrolled and in sync, one door, and a rule that admits a user and a group. */
export async function makeSmallSite({ client, control, serial }: MakeSmallSiteInput) {
  const site = await client.of(sites).create({ name: `Harbour ${serial}`, timeZone: 'Africa/Johannesburg' })
  const unit = await client.of(units).create({ name: `Gatehouse ${serial}`, serial, site: site._id })
  const door = await client
    .of(doors)
    .create({ name: `Main gate ${serial}`, site: site._id, unit: unit._id, unitDoor: 1 })
  const group = await client.of(userGroups).create({ name: `Warehouse ${serial}` })
  const person = await client.of(users).create({ name: `Siobhán O'Reilly ${serial}` })
  const number = `0412-${serial}`
  const card = await client.of(credentials).create({ kind: 'card', number, user: person._id })
  const rule = await client.of(rules).create({
    name: `Warehouse staff ${serial}`,
    effect: 'allow',
    who: [
      { kind: 'User Group', id: group._id },
      { kind: 'User', id: person._id },
    ],
    where: [{ kind: 'Door', id: door._id }],
  })
  const { code } = await client.enrolUnit(unit._id)
  await control.add({ serial, code })
  await expect.poll(() => isInStep(client, unit._id)).toBe(true)
  return { site, unit, door, person, card, number, rule, serial }
}

/** Whether the controller has applied its newest configuration. */
export async function isInStep(client: Client, unit: string) {
  const { desiredVersion, appliedVersion } = await client.of(units).get(unit)
  return appliedVersion !== null && appliedVersion === desiredVersion
}
