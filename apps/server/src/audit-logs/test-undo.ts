import { historyHeader } from '@portcullis/contract/calls/audit-logs'
import { z } from 'zod'
import type { TestServer, TestUser } from '../test-server.ts'

type Ask = TestUser['ask']
type Answer = Awaited<ReturnType<Ask>>

/** The id of the history entry that a response carries. */
export function entryOf({ headers }: Answer) {
  return z.uuid().parse(headers.get(historyHeader))
}

export function undo(ask: Ask, entry: string) {
  return ask('POST', `/api/auditLogs/${entry}/undo`)
}

/** The entries of an item in all accounts, newest first. */
export async function logOf(server: Pick<TestServer, 'ask'>, item: string) {
  const query = new URLSearchParams({ filter: JSON.stringify({ item }), size: '500' })
  const headers = { 'x-js-all-accounts': 'true' }
  return (await server.ask('GET', `/api/auditLogs?${query.toString()}`, { headers })).items
}
