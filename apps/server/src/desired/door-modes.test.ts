import type { DoorMode } from '@portcullis/domain/policy'
import sql from 'sql-template-tag'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { type GatewayWorld, gatewayWorld, ids, nomsasCard } from '../gateway/test-world.ts'

let world: GatewayWorld
let url: string
let feed: Awaited<ReturnType<GatewayWorld['startServer']>>['feed']
beforeEach(async () => {
  world = await gatewayWorld()
  const server = await world.startServer()
  url = server.url
  feed = server.feed
})
afterEach(() => world.close())

const patient = { timeout: 120_000, interval: 50 }
const wait = (check: () => Promise<void>) => vi.waitFor(check, patient)

/** As the call does: changes the door's row and announces it. */
async function want(mode: DoorMode, until: string | null = null) {
  await world.changePolicy(
    sql`update door set door_mode = ${mode}, door_mode_until = ${until}, door_mode_version = door_mode_version + 1,
          door_mode_set_at = now() where door_id = ${ids.door}`,
  )
  feed.hint()
}

const stateOfMode = z.object({ sent: z.string().nullable(), applied: z.int(), version: z.int() })

async function modeState() {
  const [state] = await world.rows(
    stateOfMode,
    sql`select door_state_mode_sent_at as sent, door_state_applied_mode_version as applied, door_mode_version as version
          from door join door_state on door_state_id = door_id where door_id = ${ids.door}`,
  )
  return state
}

async function workingUnit() {
  const unit = await world.enrolledUnit(url)
  await wait(async () => expect(await world.unitState()).toMatchObject({ status: 'online', appliedVersion: 1 }))
  return unit
}

test('§3 door modes: a locked down door denies all users with its reason, until it returns to its schedule', async () => {
  const unit = await workingUnit()
  await want('lockdown')
  await wait(async () => expect(await modeState()).toMatchObject({ version: 1, applied: 1 }))
  expect(await unit.present(nomsasCard)).toEqual({ verdict: 'deny', reason: 'door_locked_down' })
  await want('normal')
  await wait(async () => expect(await modeState()).toMatchObject({ version: 2, applied: 2 }))
  expect(await unit.present(nomsasCard)).toEqual({ verdict: 'grant', reason: null })
  await wait(async () => {
    const events = await world.events()
    const modes = events.filter(({ type }) => type === 'door.mode_changed').map(({ data }) => data['note'])
    expect(modes).toEqual([
      { code: 'door_mode', mode: 'lockdown' },
      { code: 'door_mode', mode: 'normal' },
    ])
  })
})

test('§3 door modes: a door is held unlocked until the end of the mode, and then returns to its schedule by itself', async () => {
  const unit = await workingUnit()
  const locks = () => unit.state().running?.doors.map(({ lock }) => lock)
  await want('unlocked', new Date(Date.now() + 3_600_000).toISOString())
  await wait(async () => expect(await modeState()).toMatchObject({ applied: 1 }))
  expect(locks()).toEqual(['unlocked'])
  await want('unlocked', new Date(Date.now() + 1_000).toISOString())
  await wait(async () => expect(await modeState()).toMatchObject({ applied: 2 }))
  await wait(async () => expect(locks()).toEqual(['locked']))
})

test('§3 door modes: a mode set while the controller is offline reaches it on return and survives a power cut', async () => {
  const unit = await workingUnit()
  await unit.stop()
  await want('blocked')
  expect(await modeState()).toMatchObject({ version: 1, applied: 0, sent: null })
  await unit.start()
  await wait(async () => expect(await modeState()).toMatchObject({ version: 1, applied: 1 }))
  await unit.stop()
  await unit.start()
  expect(await unit.present(nomsasCard)).toEqual({ verdict: 'deny', reason: 'door_blocked' })
})
