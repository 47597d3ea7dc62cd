import { connect, type Socket } from 'node:net'

/** A plain connection to the server that ignores its own errors, because attackers expect to be disconnected. */
export function openRaw(url: string): Socket {
  const { hostname, port } = new URL(url)
  return connect(Number(port), hostname).on('error', () => {})
}

type RawRequest = { method?: string; path: string; headers?: Readonly<Record<string, string>>; body?: string }

/** The bytes of a request, as a client that follows no rules writes them. */
export function requestText({ method = 'GET', path, headers = {}, body = '' }: RawRequest) {
  const lines = Object.entries({ host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}

/**
 * Sends text and resolves with the first bytes of the answer; empty if the server closes the connection or does not
 * answer in time.
 */
export function answerTo(url: string, text: string, patienceMs = 5_000) {
  const { promise, resolve } = Promise.withResolvers<string>()
  const socket = openRaw(url)
  const settle = (answer: string) => {
    clearTimeout(timer)
    socket.destroy()
    resolve(answer)
  }
  const timer = setTimeout(() => settle(''), patienceMs)
  socket.once('data', (data) => settle(data.toString('latin1')))
  socket.once('close', () => settle(''))
  socket.write(text)
  return promise
}

/** Repeats work until the time is over, this many times in parallel. */
export async function repeatFor(
  { ms, atOnce }: { ms: number; atOnce: number },
  work: (turn: number) => Promise<unknown>,
) {
  const end = performance.now() + ms
  let turn = 0
  const lines = Array.from({ length: atOnce }, async () => {
    while (performance.now() < end) await work(turn++)
  })
  await Promise.all(lines)
  return turn
}
