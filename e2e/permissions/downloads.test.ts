import sql from 'sql-template-tag'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { bareAnswer } from './bare-answer.ts'
import type { Route } from './document-routes.ts'
import { judgeAnswer } from './judge-answer.ts'
import { canaryOf, refOf } from './marks.ts'
import { openMatrix, patienceMs } from './open-matrix.ts'
import type { Persona } from './personas.ts'
import { headerTargets, places, type Target } from './places.ts'
import type { Probe } from './probe.ts'
import { recipeOf } from './recipe-of.ts'
import type { Answer } from './send.ts'

const { server, world, send, routes, stop } = await openMatrix()
afterAll(stop)
const patience = patienceMs[inject('matrixForm')]

const content = z.record(z.string(), z.unknown()).default({})
const document = z.object({
  paths: z.record(
    z.string(),
    z.record(z.string(), z.object({ responses: z.record(z.string(), z.object({ content })) })),
  ),
})

/** Every route that returns a file, with a probe that succeeds. */
const downloads = await findDownloads()

test('§1 the downloads tested here include list exports, an access export and account pictures', () => {
  const names = downloads.map(({ route }) => route.name)
  expect(names).toEqual(expect.arrayContaining(['POST /api/events/export', 'POST /api/doors/{id}/access/export']))
  expect(names).toContain('GET /api/accounts/{id}/image')
  expect(names.length).toBeGreaterThan(20)
})

describe('§1 a file that a user could download before', () => {
  test(
    'is refused after their role ends, as if the account were absent',
    async () => {
      const leaver = await newAdmin()
      for (const download of downloads)
        expect([download.route.name, (await ask(download, leaver)).status]).toEqual([download.route.name, 200])
      await server.database.asSystem((tx) =>
        tx.run(sql`delete from membership where membership_user = ${leaver.userId}`),
      )
      for (const download of downloads) {
        const { answer, bare } = await ask(download, leaver)
        expect([download.route.name, answer.status, leaksOf(answer)]).toEqual([
          download.route.name,
          refusalOf(download),
          [],
        ])
        expect(bare).toBe((await ask(download, leaver, 'absent')).bare)
      }
    },
    patience,
  )

  test(
    'is refused after they sign out',
    async () => {
      const leaver = await newAdmin()
      const path = '/api/auth/logout'
      await send({ method: 'POST', path, headers: [...headersOf(leaver, 'own')] })
      for (const download of downloads) {
        const { answer } = await ask(download, leaver)
        expect([download.route.name, answer.status, leaksOf(answer)]).toEqual([download.route.name, 401, []])
      }
    },
    patience,
  )

  test(
    'is refused to a user of another account',
    async () => {
      const { headers } = await server.signInAs({ role: 'admin', account: refOf('sibling') })
      const neighbour = { ...personaOf('admin'), cookie: headers['cookie'] }
      for (const download of downloads) {
        const { answer } = await ask(download, neighbour)
        expect([download.route.name, answer.status, leaksOf(answer)]).toEqual([
          download.route.name,
          refusalOf(download),
          [],
        ])
      }
    },
    patience,
  )
})

test('§7 account image: an ETag does not reveal a picture to users who cannot see the account', async () => {
  const outcomes = await Promise.all(
    world.personas.flatMap((persona) =>
      [...places, 'absent' as const].map(async (target) => {
        const tag = `"${canaryOf(target)}-picture"`
        const lines = [...headersOf(persona, 'own'), ['if-none-match', tag] as const]
        const { status } = await send({ method: 'GET', path: `/api/accounts/${refOf(target)}/image`, headers: lines })
        return { status, expected: statusOfImage(persona, target) }
      }),
    ),
  )
  expect(outcomes.filter(({ status, expected }) => status !== expected)).toEqual([])
})

test('§2 pages and their files are the same for all users, and for every account, existing or not', async () => {
  const pages = ['/', '/config', '/api/docs', '/api/openapi.json', '/assets/policy/eula', '/assets/policy/privacy']
  const requesters = ['admin', 'no membership', 'no session'].map(personaOf)
  for (const path of pages) {
    const answers = await Promise.all(
      requesters.flatMap((requester) => headerTargets.map((target) => page(path, { requester, target }))),
    )
    expect([path, new Set(answers).size]).toEqual([path, 1])
  }
  for (const rest of ['sites', 'dashboard', 'authentication/login', 'assets/index.js', '']) {
    const answers = await Promise.all(
      headerTargets.map((target) =>
        page(`/${refOf(target)}/${rest}`, { requester: personaOf('admin'), target: 'own' }),
      ),
    )
    expect([rest, new Set(answers).size]).toEqual([rest, 1])
  }
})

type Download = { route: Route; probe: Probe }

async function findDownloads(): Promise<Download[]> {
  const { text } = await send({ method: 'GET', path: '/api/openapi.json', headers: [] })
  const { paths } = document.parse(JSON.parse(text))
  const files = routes.filter(({ path, method }) => {
    const types = Object.keys(paths[path]?.[method.toLowerCase()]?.responses['200']?.content ?? {})
    return types.some((type) => type !== 'application/json')
  })
  return files.flatMap((route) => {
    const context = {
      persona: personaOf('admin'),
      account: 'own',
      reads: new Set(['own'] as const),
      covers: new Set(['own', 'child'] as const),
      isAssumed: false,
    } as const
    const probe = recipeOf(route, world).probes.find((each) => each.expects(context).status === 200)
    return probe ? [{ route, probe }] : []
  })
}

async function ask({ route, probe }: Download, persona: Persona, account: Target = 'own') {
  const { path, body } = await probe.send({ persona, account: 'own', succeeds: true })
  // The picture's account is named by the path alone.
  const address = isImage(route) && account === 'absent' ? `/api/accounts/${refOf('absent')}/image` : path
  const headers = headersOf(persona, account)
  const answer = await send({ method: route.method, path: address, headers, body })
  const sent = [JSON.stringify(headers), address, JSON.stringify(body)].join(' ')
  return { answer, status: answer.status, bare: bareAnswer(answer, sent) }
}

function headersOf({ cookie }: Persona, account: Target) {
  const named = [['X-JS-ACCOUNT', refOf(account)] as const]
  return cookie === undefined ? named : [...named, ['cookie', cookie] as const]
}

/** Users without a role in an account are refused with 403, or with 404 for its picture. */
function refusalOf({ route }: Download) {
  return isImage(route) ? 404 : 403
}

function isImage({ path }: Route) {
  return path === '/api/accounts/{id}/image'
}

function leaksOf(answer: Answer) {
  const none = { texts: new Set<never>(), ids: new Set<never>(), hasButtons: false }
  const found = judgeAnswer({ world, answer, expected: { status: answer.status }, scope: none, sent: '' })
  return found.map(({ what }) => what)
}

function statusOfImage({ rights, cookie }: Persona, target: Target) {
  if (cookie === undefined) return 401
  if (target === 'absent' || rights === undefined) return 404
  return rights === 'hyper' || target === 'own' || target === 'child' ? 304 : 404
}

async function page(path: string, { requester, target }: { requester: Persona; target: Target }) {
  const answer = await send({ method: 'GET', path, headers: headersOf(requester, target) })
  expect(leaksOf(answer)).toEqual([])
  return bareAnswer(answer, path)
}

async function newAdmin(): Promise<Persona> {
  const { headers, userId } = await server.signInAs({ role: 'admin', account: refOf('own') })
  return { ...personaOf('admin'), cookie: headers['cookie'], userId }
}

function personaOf(name: string): Persona {
  const found = world.personas.find((persona) => persona.name === name)
  if (!found) throw new Error(`there is no persona ${name}`)
  return found
}
