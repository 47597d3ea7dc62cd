import { problemMessage } from '@portcullis/contract/errors/error-message'
import { problem } from '@portcullis/contract/errors/problem'
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
  app.setNotFoundHandler((request, reply) => answer(request, reply, new AppError('not_found')))
}

export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const appError = toAppError(error)
  // Statements of a client that has disconnected are cancelled, which is no fault.
  if (appError.status >= 500 && !reply.raw.destroyed) request.log.error({ err: error }, appError.message)
  return answer(request, reply, appError)
}

/** Long enough to read the answer, which a connection that is reset would lose. */
const closingMs = 2_000

/** Text that is not an HTTP request gets the same kind of answer, written directly to its socket. */
export function answerUnreadable(_error: unknown, socket: Socket) {
  if (!socket.writable) return
  // A client that does not close its side must not keep ours open.
  socket.setTimeout(closingMs, () => socket.destroy())
  const body = JSON.stringify(bodyOf(unreadable(), uuidv7()))
  socket.end(
    `HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
  )
}

function answer(request: FastifyRequest, reply: FastifyReply, error: AppError) {
  const { status, retryAfterSeconds } = error
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds)
  return reply.status(status).send(bodyOf(error, request.id))
}

function bodyOf(error: AppError, requestId: string) {
  const { item } = error
  return { error: { ...errorOf(error), requestId }, ...(item === undefined ? {} : { item }) }
}

/** An error as answers describe it. */
export function errorOf({ code, message, parameters, fieldErrors, furtherFields, holder }: AppError) {
  return {
    code,
    message,
    parameters: { ...parameters },
    ...(fieldErrors ? { fields: mapValues(fieldErrors, problemMessage), fieldErrors: { ...fieldErrors } } : {}),
    ...(furtherFields > 0 ? { furtherFields } : {}),
    ...(holder ? { holder } : {}),
  }
}

function mapValues<V, W>(record: Readonly<Record<string, V>>, map: (value: V) => W) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]))
}

function unreadable() {
  return new AppError('bad_request', {}, { fields: { body: problem('unreadable') } })
}

/** Any failure as the error that clients get. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (isTaken(error)) return takenError(error)
  if (error instanceof pg.DatabaseError) return databaseError(error)
  if (isConnectionError(error)) return new AppError('unavailable')
  const status = statusOf(error)
  if (status === 413) return new AppError('too_large')
  if (status === 415) return wrongType(error)
  if (status !== undefined && status < 500) return unreadable()
  return new AppError('internal', {}, { cause: error })
}

function wrongType(cause: unknown) {
  return unusable('content-type', problem('unsupported_media_type'), cause)
}

function databaseError(error: pg.DatabaseError) {
  const { code = '' } = error
  if (code === '23503') return referenceError(error)
  if (code === 'PC422') return triggerRefusal(error)
  if (code === 'PC404') {
    const parent = problem('not_in_sight', { collection: 'accounts' })
    return new AppError('unknown_reference', {}, { fields: { parent } })
  }
  if (code.startsWith('22')) return badValue(error)
  if (code === '57014') return new AppError('too_slow', {}, { cause: error })
  if (isTurnLost(error) || code === '55P03') return new AppError('unavailable')
  if (/^(08|57P|53)/.test(code)) return new AppError('unavailable')
  return new AppError('internal', {}, { cause: error })
}

/** Of two transactions in a deadlock one has to retry; so does a request whose rights changed while it waited. */
export function isTurnLost(error: unknown) {
  return error instanceof pg.DatabaseError && ['40P01', '40001', 'PC409'].includes(error.code ?? '')
}

/** A refusal by a trigger; it names the code as the constraint. */
function triggerRefusal(cause: pg.DatabaseError) {
  const { constraint = '' } = cause
  return constraint === 'account_below_itself' || constraint === 'home_account_only'
    ? new AppError(constraint, {}, { cause })
    : new AppError('internal', {}, { cause })
}

/** A reference to an item that was deleted after the check, or that belongs to an account where it is not valid. */
function referenceError(cause: pg.DatabaseError) {
  const field = referringField(cause.constraint ?? '')
  const fields = field === undefined ? {} : { [field]: problem('gone_or_elsewhere') }
  return new AppError('unknown_reference', {}, { cause, fields })
}

/** Foreign keys bear PostgreSQL's own names: `door_door_site_fkey`, with the account where that must be the same. */
function referringField(constraint: string) {
  const [, , field] = /^([a-z_]+?)_\1_([a-z_]+?)(?:_\1_account)?_fkey$/.exec(constraint) ?? []
  return field?.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase())
}

function badValue(cause: pg.DatabaseError) {
  return new AppError('bad_request', {}, { fields: { body: problem('unstorable') }, cause })
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
