import { createServer } from 'node:http'

/** A minimal Node server: it shows the limit of the machine, with the other programs that run on it. */
const server = createServer((_request, response) => {
  response.setHeader('content-type', 'application/json').end('{"status":"live"}')
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`)
})
process.once('disconnect', () => process.exit())
