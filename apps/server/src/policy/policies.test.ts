import sql from 'sql-template-tag'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { startTestServer } from '../test-server.ts'
import { Policies } from './policies.ts'

const server = await startTestServer()
afterAll(server.stop)

test('concurrent requests share one load of a policy, and a later version is loaded again', async () => {
  const tree = await server.database.asSystem((tx) =>
    tx.first(z.object({ root: z.int() }), sql`select policy_root as root from policy limit 1`),
  )
  const root = tree?.root ?? 0
  const policies = new Policies(server.database)
  const loaded = await Promise.all(Array.from({ length: 8 }, () => policies.ofAccount(root)))
  expect(new Set(loaded.map(({ index }) => index)).size).toBe(1)

  await server.database.asSystem((tx) => tx.run(sql`update policy set policy_version = policy_version + 1`))
  const [first, second] = await Promise.all([policies.ofAccount(root), policies.ofAccount(root)])
  expect(first.version).toBe((loaded[0]?.version ?? 0) + 1)
  expect(first.index).toBe(second.index)
  expect(first.index).not.toBe(loaded[0]?.index)
})
