import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { configText } from '@portcullis/contract/unit-protocol/signed-texts'
import { unitConfig } from '@portcullis/contract/unit-protocol/unit-config'
import { compileUnit } from '@portcullis/domain/configuration/compile-unit'
import { combineDeltas, type ConfigDocument, diffConfig } from '@portcullis/domain/configuration/config-delta'
import { decideOnUnit } from '@portcullis/domain/configuration/decide-on-unit'
import { decideAccess } from '@portcullis/domain/decision/decide-access'
import { gatherFacts, policyIndex } from '@portcullis/domain/decision/gather-facts'
import { type MayPass, mayPassAt } from '@portcullis/domain/decision/lockdown-exceptions'
import { directions, type Policy } from '@portcullis/domain/policy'
import { anyInstant, anyPolicy, numbers, stage } from '@portcullis/domain/random-policy'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { ConfigReceiver } from './config-receiver.ts'
import { generateKeys, signText } from './keys.ts'
import { UnitStore } from './unit-store.ts'

const unit = '01890000-0000-7000-8000-000000000001'
const server = generateKeys()
const hashNumber = (number: string) => `#${number}`
const document = z.record(z.string(), z.unknown())

const anyAttempts = fc.array(
  fc.record({
    door: fc.constantFrom('door-1', 'door-2', 'door-3', 'door-4'),
    credentialNumber: fc.constantFrom(...numbers, 'unused'),
    direction: fc.constantFrom(...directions),
    at: anyInstant,
  }),
  { minLength: 10, maxLength: 10 },
)

const lists = ['doors', 'users', 'credentials', 'rules', 'schedules', 'holidays', 'userGroups', 'doorGroups'] as const

/** One version: a list of the policy changes, and the unit gets it or is away, then loses power or a file of its disk. */
const anyStep = fc.record({
  other: anyPolicy,
  list: fc.constantFrom(...lists),
  isAway: fc.boolean(),
  afterwards: fc.constantFrom('nothing', 'nothing', 'restart', 'configuration.json', 'configuration-delta.json'),
})

/** The configuration as the server sends it: the protocol demands ids where the random policy has short names. */
function compiled(policy: Policy): ConfigDocument {
  const text = JSON.stringify(compileUnit({ index: policyIndex(policy), unit: 'unit-1', at: stage.from, hashNumber }))
  const named = text
    .replace('"unit-1"', `"${unit}"`)
    .replaceAll('"gone"', '"01890000-0000-7000-8000-0000000000ff"')
    .replaceAll(
      /"(site|door)-(\d)"/g,
      (_, kind, digit) => `"01890000-0000-7000-8000-${kind === 'site' ? 'a' : 'd'}0000000000${digit}"`,
    )
  return document.parse(JSON.parse(named))
}

test('after any deltas, restarts and missed versions, a unit decides as one with a fresh snapshot, and as the server', async () => {
  const seen = { delta: 0, combined: 0, snapshot: 0 }
  const sequences = fc.asyncProperty(
    anyPolicy,
    fc.array(anyStep, { minLength: 3, maxLength: 7, size: 'max' }),
    anyAttempts,
    async (first, steps, attempts) => {
      const dir = await mkdtemp(join(tmpdir(), 'unit-with-deltas-'))
      try {
        const world = await unitWithServer(dir)
        let policy = first
        for (const { other, list, isAway, afterwards } of steps) {
          policy = { ...policy, [list]: other[list] }
          world.change(compiled(policy))
          if (isAway) continue
          seen[await world.deliver()]++
          await world.switchOff(afterwards)
          if (afterwards.startsWith('configuration')) continue
          const index = policyIndex(policy)
          for (const attempt of attempts) {
            // The unit has these from the signed mode of the door.
            const shown = { ...attempt, mayPass: mayPassAt(index.doors.get(attempt.door) ?? {}) }
            const decision = world.decide(shown)
            expect(decision).toEqual(world.decideBySnapshot(shown))
            expect(decision?.verdict).toBe(decideAccess(gatherFacts(index, { ...attempt, unit: 'unit-1' })).verdict)
          }
        }
      } finally {
        await rm(dir, { recursive: true })
      }
    },
  )
  await fc.assert(sequences, { numRuns: 60 })
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(10)
})

type Attempt = {
  door: string
  credentialNumber: string
  direction: 'entry' | 'exit'
  at: number
  mayPass: MayPass | undefined
}

/** A unit with its real disk, and the versions of a server. */
async function unitWithServer(dir: string) {
  const open = () => UnitStore.open({ dir, serial: 'PC-1' })
  const receiver = new ConfigReceiver()
  const versions: ConfigDocument[] = []
  let store = await open()

  return {
    change(next: ConfigDocument) {
      versions.push(next)
    },
    async deliver() {
      const { sent, base, how } = latestFor(store.applied?.version)
      const bytes = Buffer.from(JSON.stringify(sent))
      const [version, hash] = [versions.length, hashOf(bytes)]
      const signature = signText(server.privateKey, configText({ unit, version, base, hash }))
      receiver.begin({ type: 'config', version, base, policyVersion: 1, hash, signature, chunks: 1 })
      const { applied, highestVersion } = store
      const state = { unit, serverKeys: [server.publicKey], highestVersion, applied }
      const received = receiver.add({ type: 'configChunk', version, index: 0, data: bytes.toString('base64') }, state)
      if (received.outcome !== 'accepted') throw new Error(JSON.stringify(received))
      await store.apply({ ...received.applied, bytes: received.bytes, delta: received.delta })
      return how
    },
    /** A damaged configuration is treated as none. */
    async switchOff(how: string) {
      if (how === 'nothing') return
      if (how !== 'restart') await writeFile(join(dir, how), 'damaged')
      store = await open()
      if (how !== 'restart') expect(store.applied).toBeUndefined()
    },
    decide: (attempt: Attempt) => store.applied && decideOnUnit(store.applied.config, presented(attempt)),
    decideBySnapshot: (attempt: Attempt) => decideOnUnit(unitConfig.parse(versions.at(-1)), presented(attempt)),
  }

  function latestFor(applied: number | undefined) {
    const [latest, next] = [versions.at(-1), applied === undefined ? [] : versions.slice(applied - 1)]
    const [first, ...later] = next.slice(1).map((after, at) => diffConfig(next[at] ?? {}, after))
    if (applied === undefined || !first) return { sent: latest, base: null, how: 'snapshot' } as const
    const delta = { hash: hashOf(Buffer.from(JSON.stringify(latest))), ...later.reduce(combineDeltas, first) }
    return { sent: delta, base: applied, how: later.length > 0 ? 'combined' : 'delta' } as const
  }
}

function presented({ door, credentialNumber, ...attempt }: Attempt) {
  return { ...attempt, unitDoor: Number(door.slice(-1)), credentialKey: hashNumber(credentialNumber) }
}

function hashOf(bytes: Buffer) {
  return createHash('sha256').update(bytes).digest('hex')
}
