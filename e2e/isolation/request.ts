import { Agent, request as httpRequest } from 'node:http'

export type RequestInput = {
  url: string
  method?: string
  path: string
  headers?: Readonly<Record<string, string>>
  /** Sent as JSON; text is sent unchanged. */
  body?: unknown
}

export type Answer = { status: number; type: string; text: string; sentBytes: number }

const agent = new Agent({ keepAlive: true, maxSockets: 256 })
const patienceMs = 90_000

/** One request over a persistent connection; throws if it is not answered completely. */
export function request({ url, method = 'GET', path, headers = {}, body }: RequestInput): Promise<Answer> {
  const text = body === undefined ? '' : textOf(body)
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const type =
    body === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }
  const sent = httpRequest(`${url}${path}`, { agent, method, headers: { ...type, ...headers }, timeout: patienceMs })
  sent.once('response', (response) => {
    const chunks: Buffer[] = []
    response.on('data', (chunk: Buffer) => chunks.push(chunk))
    response.on('error', reject)
    response.once('end', () =>
      resolve({
        status: response.statusCode ?? 0,
        type: response.headers['content-type'] ?? '',
        text: Buffer.concat(chunks).toString(),
        sentBytes: path.length + Buffer.byteLength(text) + headerBytes(headers),
      }),
    )
  })
  sent.once('timeout', () => sent.destroy(new Error('not answered in time')))
  sent.on('error', reject)
  sent.end(text)
  return promise
}

function textOf(body: unknown) {
  return typeof body === 'string' ? body : JSON.stringify(body)
}

function headerBytes(headers: Readonly<Record<string, string>>) {
  return Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0)
}
