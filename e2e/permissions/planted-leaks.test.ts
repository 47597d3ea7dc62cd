import pg from 'pg'
import { afterAll, afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { databaseIn } from '@portcullis/server/database/test-engine'
import type { FindingKind } from './judge-answer.ts'
import { refOf } from './marks.ts'
import { openMatrix } from './open-matrix.ts'
import type { Locks } from './plan-cells.ts'
import { runMatrix } from './run-matrix.ts'
import type { Send } from './send.ts'

// A planted fault, of which nothing is seen while row level security holds.
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

/** The kinds of findings of these routes, those that name a route first by its name. */
async function found(...names: string[]): Promise<FindingKind[]> {
  return kindsIn({ names, locks: 'row security' })
}

type Asking = { names: string[]; locks: Locks; through?: Send }

async function kindsIn({ names, locks, through = send }: Asking): Promise<FindingKind[]> {
  const asked = routes.filter(({ name }) => names.includes(name))
  expect(asked).toHaveLength(names.length)
  const tally = await runMatrix({ title: 'planted', world, send: through, routes: asked, form: 'fixed', locks })
  return [...new Set(tally.findings.map(({ kind }) => kind))]
}

const reads = ['GET /api/sites', 'GET /api/sites/count', 'GET /api/sites/{id}', 'POST /api/sites/export']
const patience = 300_000

describe('the matrix is able to fail', () => {
  test(
    'nothing is found before anything else is planted',
    async () => {
      expect(await found(...reads, 'PATCH /api/sites/{id}', 'POST /api/sites')).toEqual([])
    },
    patience,
  )

  describe('where row level security is off too', () => {
    beforeEach(() => superuser.query('alter table site disable row level security'))
    afterEach(() => superuser.query('alter table site enable row level security'))

    test.each([...reads, 'GET /api/sites/aggregate', 'GET /api/sites/group/{id}'])(
      '%s shows, or counts, rows of other accounts',
      async (route) => {
        expect(await found(route)).toContain('leak')
      },
      patience,
    )

    test(
      'what is foreign is told apart from what is not there',
      async () => {
        expect(await found('PATCH /api/sites/{id}')).toContain('telling apart')
      },
      patience,
    )

    test(
      'a reference to what is foreign is taken',
      async () => {
        expect(await found('POST /api/doors')).toContain('forbidden success')
      },
      patience,
    )
  })

  test(
    'a write that reaches into another account is seen in its rows',
    async () => {
      await superuser.query(`create function plant() returns trigger language plpgsql security definer as $$ begin
      update public.contact set contact_note = new.report_name where contact_account = ${world.keyOf('sibling')};
      return new; end $$`)
      await superuser.query('create trigger plant after insert on report for each row execute function plant()')
      expect(await found('POST /api/reports')).toEqual(['foreign change'])
      await superuser.query('drop function plant cascade')
    },
    patience,
  )

  test(
    'a right that nobody gave is a success where the role forbids it',
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
    'a foreign account in a header is told apart from one that is not there',
    async () => {
      const telling: Send = async (asked) => {
        const answer = await send(asked)
        const isForeign = answer.status === 403 && asked.headers.some(([, value]) => value === refOf('sibling'))
        return isForeign ? { ...answer, text: answer.text.replace('There is no', 'Not yours: this') } : answer
      }
      // Sites have been written to from elsewhere above.
      const found = await kindsIn({ names: ['GET /api/schedules/{id}'], locks: 'both', through: telling })
      expect(found).toEqual(['telling apart'])
    },
    patience,
  )

  test(
    'an answer that says the server has failed is none that anybody expects',
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
