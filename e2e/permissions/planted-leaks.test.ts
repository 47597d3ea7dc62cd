import pg from 'pg'
import { afterAll, afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { databaseIn } from '@portcullis/server/database/test-engine'
import type { FindingKind } from './judge-answer.ts'
import { refOf } from './marks.ts'
import { openMatrix } from './open-matrix.ts'
import type { Locks } from './plan-cells.ts'
import { runMatrix } from './run-matrix.ts'
import type { Send } from './send.ts'

// A planted fault: the application's filter is off. It has no effect while row level security is on.
vi.mock(import('@portcullis/server/query/belongs-to'), async () => {
  const { default: sql } = await import('sql-template-tag')
  return { belongsTo: () => sql`true` }
})

const { server, world, send, routes, stop } = await openMatrix()
const superuser = new pg.Client(databaseIn(inject('testAdminUrl'), new URL(server.databaseUrl).pathname.slice(1)))
await superuser.connect()
afterAll(async () => {
  await superuser.end()
  await stop()
})

/** The kinds of findings for these routes, run with the cells for row level security. */
async function found(...names: string[]): Promise<FindingKind[]> {
  return kindsIn({ names, locks: 'row security' })
}

type RoomProbing = { names: string[]; locks: Locks; through?: Send }

async function kindsIn({ names, locks, through = send }: RoomProbing): Promise<FindingKind[]> {
  const chosen = routes.filter(({ name }) => names.includes(name))
  expect(chosen).toHaveLength(names.length)
  const report = await runMatrix({ title: 'planted', world, send: through, routes: chosen, form: 'fixed', locks })
  return [...new Set(report.findings.map(({ kind }) => kind))]
}

const reads = ['GET /api/sites', 'GET /api/sites/count', 'GET /api/sites/{id}', 'POST /api/sites/export']
const patience = 300_000

describe('the matrix detects planted faults', () => {
  test(
    'no finding while row level security is on',
    async () => {
      expect(await found(...reads, 'PATCH /api/sites/{id}', 'POST /api/sites')).toEqual([])
    },
    patience,
  )

  describe('with row level security off too', () => {
    beforeEach(() => superuser.query('alter table site disable row level security'))
    afterEach(() => superuser.query('alter table site enable row level security'))

    test.each([...reads, 'GET /api/sites/aggregate', 'GET /api/sites/group/{id}'])(
      '%s shows or counts rows of other accounts',
      async (route) => {
        expect(await found(route)).toContain('leak')
      },
      patience,
    )

    test(
      'an item out of scope is distinguishable from an absent one',
      async () => {
        expect(await found('PATCH /api/sites/{id}')).toContain('distinguishable')
      },
      patience,
    )

    test(
      'a reference to an item out of scope is accepted',
      async () => {
        expect(await found('POST /api/doors')).toContain('forbidden success')
      },
      patience,
    )
  })

  test(
    'a write that changes another account is detected in its rows',
    async () => {
      await superuser.query(`create function plant() returns trigger language plpgsql security definer as $$ begin
      update public.contact set contact_note = new.report_name where contact_account = ${world.keyOf('sibling')};
      return new; end $$`)
      await superuser.query('create trigger plant after insert on report for each row execute function plant()')
      expect(await found('POST /api/reports')).toEqual(['outside change'])
      await superuser.query('drop function plant cascade')
    },
    patience,
  )

  test(
    'a call that the role forbids succeeds when the user has a higher role',
    async () => {
      const viewer = world.personas.find(({ name }) => name === 'reportingUser')
      const setRole = (role: string) =>
        superuser.query('update membership set membership_role = $1 where membership_user = $2', [role, viewer?.userId])
      await setRole('admin')
      expect(await kindsIn({ names: ['POST /api/tenants'], locks: 'both' })).toContain('forbidden success')
      await setRole('reportingUser')
    },
    patience,
  )

  test(
    'an account out of scope in a header is distinguishable from an absent one',
    async () => {
      const leaking: Send = async (request) => {
        const answer = await send(request)
        const isForeign = answer.status === 403 && request.headers.some(([, value]) => value === refOf('sibling'))
        return isForeign ? { ...answer, text: answer.text.replace('"message":"', '"message":"Not yours: ') } : answer
      }
      // Uses schedules, because the tests above have changed sites.
      const found = await kindsIn({ names: ['GET /api/schedules/{id}'], locks: 'both', through: leaking })
      expect(found).toEqual(['distinguishable'])
    },
    patience,
  )

  test(
    'a server error is reported as a failure',
    async () => {
      await superuser.query(`create function plant() returns trigger language plpgsql as $$ begin
      raise exception 'planted'; end $$`)
      await superuser.query('create trigger plant before insert on report for each row execute function plant()')
      expect(await found('POST /api/reports')).toContain('failure')
      await superuser.query('drop function plant cascade')
    },
    patience,
  )
})
