import type { FastifyRequest } from 'fastify'

const users = new WeakMap<FastifyRequest, string>()

/** Keeps the user of a request whose session was found, so that a later refusal can be counted for them. */
export function noteUser(request: FastifyRequest, user: string) {
  users.set(request, user)
}

export function userOf(request: FastifyRequest) {
  return users.get(request)
}
