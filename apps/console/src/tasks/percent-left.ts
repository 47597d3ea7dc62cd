import type { Request } from './request.ts'

type Timed = Pick<Request, 'createdAt' | 'data'>

/** How much of a request's time is left by the server's clock, in percent: 100 when it was raised, never below 0. */
export function percentLeft({ createdAt, data }: Timed, now: number): number {
  const gone = (now - Date.parse(createdAt)) / (data.expiresAfterSeconds * 1_000)
  return Math.min(100, Math.max(0, 100 * (1 - gone)))
}

/** The same in whole seconds, as text and for screen readers. */
export function secondsLeft(request: Timed, now: number): number {
  return Math.ceil((percentLeft(request, now) / 100) * request.data.expiresAfterSeconds)
}
