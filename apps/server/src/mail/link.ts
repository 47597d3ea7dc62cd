import { z } from 'zod'
import { AppError } from '../errors/app-error.ts'
import { isToken } from '../sessions/token.ts'

const link = z.object({ person: z.uuid(), token: z.string().refine(isToken) })

/** Parses a link in an email: its user and its token. */
export function parseLink(input: { person: string; token: string }) {
  const { data } = link.safeParse(input)
  if (!data) throw linkEnded()
  return data
}

export function linkEnded() {
  return new AppError('link_ended')
}
