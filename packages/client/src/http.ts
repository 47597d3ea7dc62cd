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
   * Ref of the account below it that a hyper user acts inside, or `null`; `accounts.assume` starts that. A request that
   * names another account then acts inside that account, unless it names the one of `account`.
   */
  assumed?: () => string | null
  /** Called when the server reports that the assumption has ended; the request also fails with `assumption_ended`. */
  onAssumptionEnded?: () => void
  /** Sent with every request; a program outside a browser puts its `Cookie` and `Origin` here. */
  headers?: () => Record<string, string>
  onSessionEnded?: () => void
  /**
   * Called when a request sent at this time (epoch ms) needs a fresh sign-in. If it returns true, because the user has
   * confirmed their identity, the request is sent again, once; otherwise it fails with `fresh_sign_in_needed`.
   */
  confirmIdentity?: (request: { sentAt: number }) => Promise<boolean>
  /** Called with each request that fails otherwise, before its error is thrown; not for one that its caller has cancelled. */
  onFailed?: (request: { method: string; path: string }, error: ApiError) => void
  /** Gets each response's `Date` header and the time of its request (epoch ms), to track the server's clock. */
  onDate?: (date: string | null, sentAt: number) => void
}

export type Http = ReturnType<typeof createHttp>

type RequestOptions<S extends z.ZodType> = {
  method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  path: string
  query?: Record<string, string | undefined>
  body?: unknown
  /** Sent unchanged instead of a JSON body. */
  file?: Blob
  /** Ref of the account to act in instead of the current one, or `null` for none. */
  account?: string | null
  /** Ref of an account below `account` to act inside; `account` is then the user's own. */
  inside?: string
  allAccounts?: 'yes' | 'no'
  answer: S
  signal?: AbortSignal | undefined
  /** Called with the `_id` of the change's audit log entry, which `history.undo` takes. */
  onRecorded?: ((entry: string) => void) | undefined
}

type CallOptions = Pick<RequestOptions<z.ZodType>, 'account' | 'inside' | 'allAccounts' | 'signal' | 'onRecorded'>
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

  async function request<S extends z.ZodType>(requestOptions: RequestOptions<S>): Promise<z.output<S>> {
    const response = await succeeded(requestOptions)
    const entry = response.headers.get(historyHeader)
    if (entry !== null) requestOptions.onRecorded?.(entry)
    return requestOptions.answer.parse(response.status === 204 ? undefined : await response.json())
  }

  /** A file: its name, and the response to stream it from. Reading fails if the file is cut off. */
  async function download(requestOptions: Omit<RequestOptions<z.ZodType>, 'answer'>) {
    const response = await succeeded(requestOptions)
    const [, fileName = 'download'] = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '') ?? []
    return { fileName, response }
  }

  async function succeeded(requestOptions: Omit<RequestOptions<z.ZodType>, 'answer'>) {
    const sentAt = Date.now()
    const response = await send(requestOptions)
    if (response.ok) return response
    const error = await apiErrorOf(response)
    if (error.code === 'fresh_sign_in_needed' && (await options.confirmIdentity?.({ sentAt }))) {
      const again = await send(requestOptions)
      if (again.ok) return again
      throw refused(requestOptions, await apiErrorOf(again))
    }
    throw refused(requestOptions, error)
  }

  function refused(requestOptions: Omit<RequestOptions<z.ZodType>, 'answer'>, error: ApiError) {
    if (isSessionEnded(error)) options.onSessionEnded?.()
    else reportFailure(requestOptions, error)
    if (error.code === 'assumption_ended') options.onAssumptionEnded?.()
    return error
  }

  async function send(requestOptions: Omit<RequestOptions<z.ZodType>, 'answer'>) {
    const { path, query, signal } = requestOptions
    const headers = {
      accept: 'application/json',
      ...accountHeaders(requestOptions),
      ...options.headers?.(),
      ...headersOf(requestOptions),
    }
    const sentAt = Date.now()
    try {
      const response = await fetch(`${options.baseUrl}${path}${queryText(query)}`, {
        method: requestOptions.method ?? 'GET',
        headers,
        credentials: 'same-origin',
        redirect: 'manual',
        body: requestOptions.file ?? (requestOptions.body === undefined ? null : JSON.stringify(requestOptions.body)),
        ...(signal ? { signal } : {}),
      })
      options.onDate?.(response.headers.get('date'), sentAt)
      return response
    } catch (cause) {
      if (signal?.aborted) throw cause
      const error = new ApiError({ status: 0, code: 'unreachable', message: 'The server could not be reached.', cause })
      reportFailure(requestOptions, error)
      throw error
    }
  }

  function reportFailure(
    { method = 'GET', path }: Pick<RequestOptions<z.ZodType>, 'method' | 'path'>,
    error: ApiError,
  ) {
    options.onFailed?.({ method, path }, error)
  }

  function accountHeaders({
    account,
    inside,
  }: Pick<RequestOptions<z.ZodType>, 'account' | 'inside'>): Record<string, string> {
    if (account && inside !== undefined) return { 'x-js-account': account, 'x-js-assume-account': inside }
    const from = options.account()
    const assumed = options.assumed?.() ?? null
    const target = account === undefined ? assumed : account
    if (from === null || assumed === null || target === null || target === from) {
      return { 'x-js-account': (account === undefined ? from : account) ?? 'null' }
    }
    return { 'x-js-account': from, 'x-js-assume-account': target }
  }
}

function headersOf({ allAccounts, body, file }: Pick<RequestOptions<z.ZodType>, 'allAccounts' | 'body' | 'file'>) {
  const headers: Record<string, string> = {}
  if (allAccounts === 'yes') headers['x-js-all-accounts'] = 'true'
  if (body !== undefined) headers['content-type'] = 'application/json'
  // The server detects the type from the content; this header only makes it accept the body.
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
