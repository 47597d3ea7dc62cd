import type { ServerFrame } from '@portcullis/contract/unit-protocol/frames'
import { serverKeyText } from '@portcullis/contract/unit-protocol/signed-texts'
import { type KeyPair, signText } from '@portcullis/controllers/keys'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database, Transaction } from '../database/database.ts'
import { type Sealing, sealingFrom } from '../sealing.ts'
import { signingKeyFrom } from './signing-key.ts'

/** The key that signs for units, and what opens the private parts of the earlier ones. */
export type ServerKeys = { current: KeyPair; sealing: Sealing }

export function serverKeysFrom(secretKey: Uint8Array): ServerKeys {
  return { current: signingKeyFrom(secretKey), sealing: sealingFrom(secretKey, 'portcullis earlier keys') }
}

const earlierRow = z.object({ publicKey: z.instanceof(Buffer), signing: z.instanceof(Buffer) })

type Announcement = { unit: string; keys: ServerKeys; at: string }

/** Announces the current key to a unit that trusts an earlier one, signed with that one; undefined if that is not needed or not possible. */
export async function announceServerKey(
  database: Database,
  { unit, keys, at }: Announcement,
): Promise<ServerFrame | undefined> {
  const serverKey = keys.current.publicKey
  const earlier = await database.asSystem((tx) =>
    tx.first(
      earlierRow,
      sql`select earlier_key_public as "publicKey", earlier_key_signing as signing
            from unit_secret join earlier_key on earlier_key_public = unit_secret_server_key
           where unit_secret_unit = ${unit} and earlier_key_signing is not null
             and earlier_key_public <> ${bytesOf(serverKey)}`,
    ),
  )
  if (!earlier) return undefined
  const privateKey = keys.sealing.open(earlier.signing, earlier.publicKey.toString('base64')).toString()
  return { type: 'serverKey', serverKey, at, signature: signText(privateKey, serverKeyText({ unit, serverKey, at })) }
}

/** A unit has stored this key. The private part of an earlier key is deleted once no unit needs it. */
export function noteServerKey(database: Database, confirmed: { unit: string; serverKey: string; keys: ServerKeys }) {
  const { unit, serverKey, keys } = confirmed
  if (serverKey !== keys.current.publicKey) return Promise.resolve()
  return database.asSystem(async (tx) => {
    const changed = await tx.run(sql`update unit_secret set unit_secret_server_key = ${bytesOf(serverKey)}
      where unit_secret_unit = ${unit} and unit_secret_server_key <> ${bytesOf(serverKey)}`)
    if (changed > 0) await dropUnneededKeys(tx)
  })
}

/** Deletes the private parts of earlier keys that no unit trusts any longer. */
export function dropUnneededKeys(tx: Transaction) {
  return tx.run(sql`update earlier_key set earlier_key_signing = null
    where earlier_key_signing is not null
      and not exists (select from unit_secret where unit_secret_server_key = earlier_key_public)`)
}

function bytesOf(key: string) {
  return Buffer.from(key, 'base64')
}
