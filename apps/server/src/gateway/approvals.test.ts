import { v7 as uuidv7 } from 'uuid'
import { expect, onTestFinished, test } from 'vitest'
import { ChangeFeed } from '../changes/change-feed.ts'
import { Database } from '../database/database.ts'
import { Policies } from '../policy/policies.ts'
import { testNumbers } from '../numbers/test-numbers.ts'
import { raiseApproval } from './approvals.ts'
import { gatewayWorld, ids, nomsasCard } from './test-world.ts'

test('a request at a reader holds no connection to the database while its policy is read', async () => {
  const { logins, close } = await gatewayWorld()
  const database = new Database({ logins, connections: 1 })
  onTestFinished(async () => {
    await database.close()
    await close()
  })
  const feed = new ChangeFeed({ database, logins, notify: 'off' })
  const policies = new Policies({ database, feed, numbers: testNumbers() })
  const storeRequest = async () => 'raised' as const
  const frame = { ...nomsasCard, type: 'approvalRequest' as const, id: uuidv7() }
  const raise = raiseApproval({ database, policies, storeRequest, now: Date.now }, { unit: ids.unit, frame })
  // Nomsa needs no approval at this door.
  expect(await raise).toBe('unavailable')
})
