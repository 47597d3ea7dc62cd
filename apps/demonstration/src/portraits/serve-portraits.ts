import type { FastifyInstance } from 'fastify'
import { drawPortrait } from './draw-portrait.ts'
import { codeOfPortrait, type Portrait, portraitOfCode } from './portrait.ts'

/** Where the picture of somebody made up is found: drawn when it is asked for, the same for ever. */
export function addressOfPortrait(portrait: Portrait): string {
  return `${folder}/${codeOfPortrait(portrait)}.svg`
}

const folder = '/assets/portraits'

/** Draws the people of the demonstration. Open to everybody, for a code tells nothing of anybody. */
export function servePortraits(app: Pick<FastifyInstance, 'get'>) {
  app.get<{ Params: { code: string } }>(`${folder}/:code.svg`, async (request, reply) => {
    const portrait = portraitOfCode(request.params.code)
    if (!portrait) return reply.callNotFound()
    return reply
      .type('image/svg+xml')
      .header('cache-control', 'public, max-age=31536000, immutable')
      .send(drawPortrait(portrait))
  })
}
