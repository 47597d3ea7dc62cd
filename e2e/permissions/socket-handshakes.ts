import { refOf } from './marks.ts'
import type { Persona } from './personas.ts'
import { headerTargets } from './places.ts'
import type { ConnectionInput } from './open-socket.ts'
import type { World } from './world.ts'

/** One way to connect to the channel; `isConnected` is whether a user with a session is connected, as themselves. */
export type Handshake = { kind: string; connection: ConnectionInput; isConnected: boolean }

const madeUp = `portcullis=${'A'.repeat(43)}`

/** Every way to connect: correctly, without a session, from another origin, or as another user. */
export function handshakesOf(world: World, { cookie = 'portcullis=' }: Persona): Handshake[] {
  const { url } = world.server
  const signedIn = { cookie }
  const token = /\bportcullis=([\w-]{43})/.exec(cookie)?.[1] ?? ''
  const into = (kind: string, connection: Partial<ConnectionInput> = {}): Handshake => ({
    kind,
    connection: { headers: signedIn, ...connection },
    isConnected: true,
  })
  const out = (kind: string, connection: Partial<ConnectionInput>): Handshake => ({
    ...into(kind, connection),
    isConnected: false,
  })
  const forged = headerTargets.flatMap((target) => {
    const ref = refOf(target)
    const about = { 'x-js-account': ref, 'x-js-all-accounts': 'true', 'x-js-assume-account': ref }
    return [
      into('headers of ours', { headers: { ...signedIn, ...about } }),
      into('headers of ours, twice', { headers: { ...signedIn, ...about, 'x-js-account': `zebra-own, ${ref}` } }),
      into('parameters', { query: { account: ref, person: world.server.userId, cookie: madeUp, ...about } }),
      into('what they say about themselves', {
        auth: { account: ref, token: madeUp, person: world.server.userId, hyper: true, role: 'admin', ...about },
      }),
    ]
  })
  return [
    into('plain'),
    into('our own origin', { headers: { ...signedIn, origin: url } }),
    ...forged,
    out('no cookie', { headers: {} }),
    out('no cookie', { headers: {}, auth: { cookie, token }, query: { cookie } }),
    out('a made-up cookie', { headers: { cookie: madeUp } }),
    out('an empty cookie', { headers: { cookie: 'portcullis=' } }),
    out('a cookie cut short', { headers: { cookie: cookie.replace(token, token.slice(0, -1)) } }),
    out('a made-up cookie before theirs', { headers: { cookie: `${madeUp}; ${cookie}` } }),
    out('another cookie', { headers: { cookie: cookie.replace('portcullis', 'portcullis2') } }),
    out('another origin', { headers: { ...signedIn, origin: 'https://zebra.example' } }),
    out('another origin', { headers: { ...signedIn, origin: 'null' } }),
    out('another origin', { headers: { ...signedIn, origin: `${url}.zebra.example` } }),
    out('another namespace', { namespace: '/sites' }),
    out('another transport', { transport: 'polling' }),
  ]
}
