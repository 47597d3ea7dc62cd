import {
  type BodyOf,
  type Call,
  fillPath,
  type OutputOf,
  type ParamNames,
  type PathOf,
} from '@portcullis/contract/call'
import { historyHeader } from '@portcullis/contract/calls/audit-logs'
import { z } from 'zod'
import { ApiError, apiErrorOf, isSessionEnded } from './api-error.ts'

export type HttpOptions = {
  /** Such as `https://console.example`; empty for the page's own origin. */
  baseUrl: string
  /** Ref of the account that requests act in; `null` before there is one. */
  account: () => string | null
  /**
   * Ref of the account below it that a hyper user acts inside, or `null`: begin it with `accounts.assume`. Another account that
   * a request names is then acted inside as well, unless it is the one of `account`.
   */
  assumed?: () => string | null
  /** Called where the server says that it is over; the request fails with `assumption_ended` besides. */
  onAssumptionEnded?: () => void
  /** Sent with every request; a program outside a browser puts its `Cookie` and `Origin` here. */
  headers?: () => Record<string, string>
  onSessionEnded?: () => void
  /** Called with the `Date` of each answer, and when it was asked for, in epoch milliseconds: what tells the server's clock. */
  onDate?: (date: string | null, askedAt: number) => void
}

export type Http = ReturnType<typeof createHttp>

type Asked<S extends z.ZodType> = {
  method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  path: string
  query?: Record<string, string | undefined>
  body?: unknown
  /** Sent as it is, in place of a body. */
  file?: Blob
  /** Ref of another account to act in, or `null` for none, in place of the current one. */
  account?: string | null
  /** Ref of an account below it to act inside; `account` is then the one where the asker stands. */
  inside?: string
  allAccounts?: 'yes' | 'no'
  answer: S
  signal?: AbortSignal | undefined
  /** Called with the id of the entry in the audit log that tells of the change: what `history.undo` takes. */
  onRecorded?: ((entry: string) => void) | undefined
}

type CallOptions = Pick<Asked<z.ZodType>, 'account' | 'inside' | 'allAccounts' | 'signal' | 'onRecorded'>
type Query = Readonly<Record<string, string | number | undefined>>
type QueryTexts<Q> = { readonly [Name in keyof Q]: string | number | undefined }

/** What a call needs: the parameters of its path, its query, and its body or file. */
export type CallArguments<C extends Call> = CallOptions &
  ([ParamNames<C['path']>] extends [never] ? { path?: undefined } : { path: PathOf<C> }) &
  (C extends { query: infer Q extends z.ZodObject } ? { query: QueryTexts<z.input<Q>> } : { query?: undefined }) &
  (C extends { input: z.ZodType } ? { body: BodyOf<C> } : { body?: undefined }) &
  (C extends { upload: readonly string[] } ? { file: Blob } : { file?: undefined })

/** Sends HTTP requests as the contract defines them: with X-JS-ACCOUNT, parsed answers, and errors as `ApiError`. */
export function createHttp(options: HttpOptions) {
  return { options, request, download, call, downloadCall }

  /** Makes a call of the contract. Throws an `ApiError` with one of its codes. */
  async function call<C extends Call>(call: C, args: CallArguments<C>): Promise<OutputOf<C>>
  async function call(call: Call, args: SentArguments) {
    return request({ ...requestOf(call, args), answer: call.output ?? z.unknown() })
  }

  /** Makes a call whose answer is a file. */
  async function downloadCall<C extends Call>(call: C, args: CallArguments<C>) {
    return download(requestOf(call, args))
  }

  async function request<S extends z.ZodType>(asked: Asked<S>): Promise<z.output<S>> {
    const response = await succeeded(asked)
    const entry = response.headers.get(historyHeader)
    if (entry !== null) asked.onRecorded?.(entry)
    return asked.answer.parse(response.status === 204 ? undefined : await response.json())
  }

  /** A file: its name, and the answer to read it from as it comes. Reading fails where the file breaks off. */
  async function download(asked: Omit<Asked<z.ZodType>, 'answer'>) {
    const response = await succeeded(asked)
    const [, fileName = 'download'] = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '') ?? []
    return { fileName, response }
  }

  async function succeeded(asked: Omit<Asked<z.ZodType>, 'answer'>) {
    const response = await send(asked)
    if (response.ok) return response
    const error = await apiErrorOf(response)
    if (isSessionEnded(error)) options.onSessionEnded?.()
    if (error.code === 'assumption_ended') options.onAssumptionEnded?.()
    throw error
  }

  async function send(asked: Omit<Asked<z.ZodType>, 'answer'>) {
    const { path, query, signal } = asked
    const headers = {
      accept: 'application/json',
      ...accountHeaders(asked),
      ...options.headers?.(),
      ...headersOf(asked),
    }
    const askedAt = Date.now()
    try {
      const response = await fetch(`${options.baseUrl}${path}${queryText(query)}`, {
        method: asked.method ?? 'GET',
        headers,
        credentials: 'same-origin',
        redirect: 'manual',
        body: asked.file ?? (asked.body === undefined ? null : JSON.stringify(asked.body)),
        ...(signal ? { signal } : {}),
      })
      options.onDate?.(response.headers.get('date'), askedAt)
      return response
    } catch (cause) {
      if (signal?.aborted) throw cause
      throw new ApiError({ status: 0, code: 'unreachable', message: 'The server could not be reached.', cause })
    }
  }

  function accountHeaders({ account, inside }: Pick<Asked<z.ZodType>, 'account' | 'inside'>): Record<string, string> {
    if (account && inside !== undefined) return { 'x-js-account': account, 'x-js-assume-account': inside }
    const from = options.account()
    const assumed = options.assumed?.() ?? null
    const wanted = account === undefined ? assumed : account
    if (from === null || assumed === null || wanted === null || wanted === from) {
      return { 'x-js-account': (account === undefined ? from : account) ?? 'null' }
    }
    return { 'x-js-account': from, 'x-js-assume-account': wanted }
  }
}

function headersOf({ allAccounts, body, file }: Pick<Asked<z.ZodType>, 'allAccounts' | 'body' | 'file'>) {
  const headers: Record<string, string> = {}
  if (allAccounts === 'yes') headers['x-js-all-accounts'] = 'true'
  if (body !== undefined) headers['content-type'] = 'application/json'
  // The server goes by the content of a file; the type only lets it through.
  if (file !== undefined) headers['content-type'] = 'application/octet-stream'
  return headers
}

type SentArguments = CallOptions & {
  path?: Readonly<Record<string, string>> | undefined
  query?: Query | undefined
  body?: unknown
  file?: Blob | undefined
}

function requestOf({ method, path: template }: Call, { path = {}, query = {}, file, ...rest }: SentArguments) {
  const texts = Object.entries(query).map(([name, value]) => [name, value?.toString()] as const)
  const request = { ...rest, method, path: fillPath(template, path), query: Object.fromEntries(texts) }
  return file === undefined ? request : { ...request, file }
}

function queryText(query: Record<string, string | undefined> | undefined) {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) if (value !== undefined) search.set(name, value)
  const text = search.toString()
  return text ? `?${text}` : ''
}
