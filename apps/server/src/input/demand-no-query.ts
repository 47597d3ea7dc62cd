import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { parseInput } from './parse-input.ts'

const nothing = z.strictObject({})

/** What a call does not take in its address is a 400 that names it. */
export function demandNoQuery({ query }: FastifyRequest) {
  parseInput(nothing, query)
}
