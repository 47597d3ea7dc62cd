import { expect, test } from 'vitest'
import { networkFaults } from './network-faults.ts'

/** A network, and what the demonstration does to it. */
function network() {
  const { keep } = networkFaults()
  const state = { isOffline: false, isBroken: false }
  return Object.assign(state, {
    keepUnplugged: (desired: boolean) =>
      keep('PV-1', {
        isOffline: state.isOffline,
        desired,
        async apply() {
          if (state.isBroken) throw new Error('the process is not running')
          state.isOffline = desired
        },
      }),
  })
}

test('a network is unplugged for an outage, and plugged in again after it', async () => {
  const own = network()
  await own.keepUnplugged(true)
  expect(own.isOffline).toBe(true)
  await own.keepUnplugged(false)
  expect(own.isOffline).toBe(false)
})

test('a network that a user has unplugged stays so, and one that stays unplugged is unplugged again', async () => {
  const own = network()
  await own.keepUnplugged(false)
  own.isOffline = true
  await own.keepUnplugged(false)
  expect(own.isOffline).toBe(true)
  await own.keepUnplugged(true)
  own.isOffline = false
  await own.keepUnplugged(true)
  expect(own.isOffline).toBe(true)
})

test('an outage that was left over is ended, also when the first attempt fails', async () => {
  const own = network()
  Object.assign(own, { isOffline: true, isBroken: true })
  await expect(own.keepUnplugged(false)).rejects.toThrow('not running')
  own.isBroken = false
  await own.keepUnplugged(false)
  expect(own.isOffline).toBe(false)
})
