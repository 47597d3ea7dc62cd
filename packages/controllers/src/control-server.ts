import { createServer, type IncomingMessage } from 'node:http'
import { answerCall } from './control-calls.ts'
import { refusalOfOtherSites, refusalWithoutToken } from './control-guard.ts'
import { type Reply, refusal, sendReply } from './control-reply.ts'
import { pageContent } from './page/page-content.ts'
import { pageFile } from './page/page-file.ts'
import type { VirtualUnits } from './virtual-units.ts'

type ControlServerOptions = { units: VirtualUnits; token: string }

/**
 * An HTTP server for tests and demonstrations that operates the virtual units, with a page that does the same; the caller
 * listens on the loopback only. Everything but the empty page needs the token.
 */
export function controlServer(options: ControlServerOptions) {
  return createServer((request, response) => {
    void answer(request, options)
      .catch((error: unknown) => refusal(500, error instanceof Error ? error.message : String(error)))
      .then((reply) => sendReply(response, reply))
  })
}

async function answer(request: IncomingMessage, { units, token }: ControlServerOptions): Promise<Reply> {
  const fromOtherSite = refusalOfOtherSites(request)
  if (fromOtherSite) return fromOtherSite
  const url = URL.parse(request.url ?? '', 'http://control')
  const path = request.method === 'GET' ? url?.pathname : undefined
  const file = path === undefined ? undefined : await pageFile(path)
  if (file) return file
  const withoutToken = refusalWithoutToken(request, token)
  if (withoutToken) return withoutToken
  if (path === '/page') return pageContent(units, url?.searchParams.get('unit') ?? undefined)
  return answerCall({ request, units })
}
