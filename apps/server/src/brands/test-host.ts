import { request } from 'node:http'

type HostRequest = { host: string; path: string; method?: string; headers?: Record<string, string> }

/** Sends a request with another host name, as a browser at that host does: `fetch` would send the server's own. */
export async function requestAtHost(url: string, { host, path, method = 'GET', headers = {} }: HostRequest) {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const { hostname, port } = new URL(url)
  request({ hostname, port, path, method, headers: { host, ...headers } }, (response) => {
    let text = ''
    response.setEncoding('utf8')
    response.on('data', (part: string) => {
      text += part
    })
    response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, text }))
  })
    .on('error', reject)
    .end()
  return promise
}

type Answer = { status: number | undefined; headers: NodeJS.Dict<string | string[]>; text: string }
