import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import pg from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { AppError } from '../errors/app-error.ts'
import { isTaken, takenError } from '../errors/taken-error.ts'
import { unusable } from '../errors/unusable.ts'

/** Every failure leaves as `{error: {code, message, fields?, requestId}}`: never a stack, an SQL text or a path. */
export function answerErrors(app: FastifyInstance) {
  app.setErrorHandler(answerError)
  app.setNotFoundHandler((request, reply) =>
    answer(request, reply, new AppError('not_found', 'There is nothing at this address.')),
  )
}

export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const known = knownError(error)
  if (known.status >= 500) request.log.error({ err: error }, known.message)
  return answer(request, reply, known)
}

/** What is not even a request of HTTP gets the same kind of answer, straight to its socket. */
export function answerUnreadable(_error: unknown, socket: Socket) {
  if (!socket.writable) return
  const error = { code: 'bad_request', message: 'The request could not be read.', requestId: uuidv7() }
  const body = JSON.stringify({ error })
  socket.end(
    `HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
  )
}

function answer(request: FastifyRequest, reply: FastifyReply, error: AppError) {
  const { code, message, fields, holder, item, retryAfterSeconds } = error
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds)
  const body = { code, message, ...(fields ? { fields } : {}), ...(holder ? { holder } : {}), requestId: request.id }
  return reply.status(error.status).send({ error: body, ...(item === undefined ? {} : { item }) })
}

function knownError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (isTaken(error)) return takenError(error)
  if (error instanceof pg.DatabaseError) return databaseError(error)
  if (isConnectionError(error)) return new AppError('unavailable', 'The database does not answer. Please try again.')
  const status = statusOf(error)
  if (status === 413) return new AppError('too_large', 'The request is larger than this call takes.')
  if (status === 415) return wrongType(error)
  if (status !== undefined && status < 500) return new AppError('bad_request', 'The request could not be read.')
  return new AppError('internal', 'Something went wrong on the server. Please try again.', { cause: error })
}

function wrongType(cause: unknown) {
  return unusable('content-type', 'this call does not take a body of this kind', cause)
}

function databaseError(error: pg.DatabaseError) {
  const { code = '' } = error
  if (code === '23503') return referenceError(error)
  if (code === 'PC422') return new AppError('refused', error.message)
  if (code === 'PC404') return new AppError('unknown_reference', error.message, { fields: { parent: error.message } })
  if (code.startsWith('22')) return badValue(error)
  if (isTurnLost(error)) return new AppError('unavailable', 'Others changed the same at this moment. Please try again.')
  if (/^(08|57P|53)/.test(code)) return new AppError('unavailable', 'The database does not answer. Please try again.')
  return new AppError('internal', 'Something went wrong on the server. Please try again.', { cause: error })
}

/** Of two who wait for each other one has to begin anew; so has whoever's rights changed while it waited. */
export function isTurnLost(error: unknown) {
  return error instanceof pg.DatabaseError && ['40P01', '40001', 'PC409'].includes(error.code ?? '')
}

/** A reference that was there when it was checked, or that lies in an account where it does not hold. */
function referenceError(cause: pg.DatabaseError) {
  const message = 'Something that was chosen is not there any more, or belongs to another account.'
  const field = referringField(cause.constraint ?? '')
  return new AppError('unknown_reference', message, { cause, ...(field ? { fields: { [field]: message } } : {}) })
}

/** Foreign keys bear PostgreSQL's own names: `door_door_site_fkey`, with the account where that must be the same. */
function referringField(constraint: string) {
  const [, , field] = /^([a-z_]+?)_\1_([a-z_]+?)(?:_\1_account)?_fkey$/.exec(constraint) ?? []
  return field?.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase())
}

function badValue(cause: pg.DatabaseError) {
  return new AppError('bad_request', 'A value in the request can not be stored or compared.', { cause })
}

function isConnectionError(error: unknown) {
  if (!(error instanceof Error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return (
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'].includes(code) ||
    /Connection terminated|timeout exceeded when trying to connect/.test(error.message)
  )
}

function statusOf(error: unknown) {
  if (typeof error !== 'object' || error === null || !('statusCode' in error)) return undefined
  return typeof error.statusCode === 'number' ? error.statusCode : undefined
}
