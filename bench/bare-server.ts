import { createServer, type IncomingMessage } from 'node:http'
import pg from 'pg'
import { Server } from 'socket.io'
import { z } from 'zod'
import { bareQueries as queries, type Query } from './bare-queries.ts'

/**
 * The baseline: Node's own HTTP server and `pg`, without session, permission, policies, transaction, history or checks. Its
 * argument is the URL of the database.
 */
const pool = new pg.Pool({ connectionString: process.argv[2] ?? '', max: 16 })
const rows = async (query: Query) => (await pool.query<Record<string, unknown>>(query)).rows

const server = createServer((request, response) => {
  answer(request).then(
    (body) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body)),
    (error: Error) => response.writeHead(500).end(error.message),
  )
})
server.keepAliveTimeout = 60_000
const io = new Server(server, { transports: ['websocket'], serveClient: false })
server.listen(0, '127.0.0.1', () => {
  const { port } = z.object({ port: z.int() }).parse(server.address())
  console.log(`Bare server: http://127.0.0.1:${port}`)
})

async function answer(request: IncomingMessage) {
  const [path, query] = (request.url ?? '').split('?')
  const params = new URLSearchParams(query)
  const account = Number(params.get('account'))
  const id = params.get('id') ?? ''
  switch (path) {
    case '/list':
      return rows(queries.list(account))
    case '/filtered':
      return rows(queries.filtered(account, id))
    case '/total': {
      const [items, [counted]] = await Promise.all([rows(queries.list(account)), rows(queries.total(account))])
      return { items, ...counted }
    }
    case '/tree':
      return rows(queries.tree((params.get('accounts') ?? '').split(',').map(Number)))
    case '/get':
      return (await rows(queries.get(account, id)))[0]
    case '/user':
      return (await rows(queries.user(id)))[0]
    case '/all':
      return rows(queries.all(account))
    case '/create':
      return (await rows(queries.create(account, await nameIn(request))))[0]
    case '/patch': {
      const [site] = await rows(queries.patch(id, await nameIn(request)))
      io.emit('save', site)
      return site
    }
    default:
      throw new Error(`There is no ${path}.`)
  }
}

async function nameIn(request: IncomingMessage) {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return z.object({ name: z.string() }).parse(JSON.parse(text)).name
}
