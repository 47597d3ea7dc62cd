import { z } from 'zod'
import { AppError } from '../errors/app-error.ts'
import { isToken } from '../sessions/token.ts'

const link = z.object({ person: z.uuid(), token: z.string().refine(isToken) })

/** A link of a mail: whose it is, and its secret. */
export function parseLink(asked: { person: string; token: string }) {
  const { data } = link.safeParse(asked)
  if (!data) throw linkEnded()
  return data
}

export function linkEnded() {
  return new AppError('link_ended')
}
