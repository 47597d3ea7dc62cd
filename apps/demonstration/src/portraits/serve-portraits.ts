import type { FastifyInstance } from 'fastify'
import { createAvatar } from '@dicebear/core'
import * as openPeeps from '@dicebear/open-peeps'
import { beardPercent, common, type Figure, grounds, isLookName, type LookName, looks } from './looks.ts'

const folder = '/assets/portraits'

/** The path of the portraits of fictional users: each is drawn on request, and always the same. */
export function addressOfPortrait({ look, figure, seed }: Portrait): string {
  return `${folder}/${look}-${figure}-${seed}.svg`
}

/** Serves the portraits to all clients, because a URL reveals nothing about a user. */
export function servePortraits(app: Pick<FastifyInstance, 'get'>) {
  app.get<{ Params: { code: string } }>(`${folder}/:code.svg`, async (request, reply) => {
    const portrait = portraitOf(request.params.code)
    if (!portrait) return reply.callNotFound()
    return reply
      .type('image/svg+xml')
      .header('cache-control', 'public, max-age=31536000, immutable')
      .send(drawPortrait(portrait))
  })
}

function portraitOf(code: string): Portrait | undefined {
  const [, look = '', figure, seed = ''] = /^([a-zA-Z]+)-(woman|man)-([0-9a-z]{1,7})$/.exec(code) ?? []
  if (!isLookName(look) || (figure !== 'woman' && figure !== 'man')) return undefined
  return { look, figure, seed }
}

/** An invented user: the same seed always gives the same face. */
export type Portrait = { look: LookName; figure: Figure; seed: string }

/** An invented user as an SVG: head and shoulders. */
export function drawPortrait({ look, figure, seed }: Portrait): string {
  const { woman, man, ...either } = looks[look]
  const ofFigure = figure === 'woman' ? woman : { facialHairProbability: beardPercent, ...man }
  const options = { ...common, ...either, ...ofFigure, seed, size: 200, backgroundColor: grounds }
  return createAvatar(openPeeps, options).toString()
}
