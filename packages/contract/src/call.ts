import { z } from 'zod'
import type { Action, Subject } from './abilities.ts'
import type { ErrorCode } from './errors.ts'

export type Ability = { action: Action; subject: Subject }

/** A step of signing in that can still be missing from a session. */
export const signInSteps = ['verified email', 'code'] as const
export type SignInStep = (typeof signInSteps)[number]

/**
 * One call of the API, apart from the generic verbs of collections. The server's route, the operation of the OpenAPI
 * document and the recipe of the permission matrix derive from it; the client's methods make it through `http.call`.
 */
export type Call = {
  /** The operation id of the OpenAPI document. */
  id: string
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** As OpenAPI writes it: `/api/doors/{id}`. */
  path: string
  tag: string
  summary: string
  description?: string
  /**
   * `none`: open to everyone. `session`: needs a session. `account`: also needs an account in X-JS-ACCOUNT, and acts in
   * it. `optional account`: the same for users who may have no account, or need none; the handler decides.
   */
  access: 'none' | 'session' | 'account' | 'optional account'
  /**
   * Abilities that are required in that account: all of the list, and one of each inner list. Checked before the input.
   */
  abilities?: readonly (Ability | readonly Ability[])[]
  /** A GET that changes something or sends mail: guarded against forged requests like a write. */
  hasEffect?: true
  /**
   * Only for sessions whose user signed in or confirmed their identity in the last 10 minutes; others get 403
   * `fresh_sign_in_needed`. Checked after the rights and before the input.
   */
  needsFreshSignIn?: true
  /** Steps of signing in that may still be missing. */
  servesWithout?: readonly SignInStep[]
  /** A write that honours x-js-all-accounts, because it only reads. */
  readsAllAccounts?: true
  /** A description of each parameter in the path. */
  params?: Readonly<Record<string, string>>
  query?: z.ZodObject
  input?: z.ZodType
  /** Media types of a body that is a file instead of JSON. */
  upload?: readonly string[]
  /** The most bytes of such a body; 1 MB by default. */
  bodyLimit?: number
  output?: z.ZodType
  /** Media types of an answer that is a file instead of JSON. */
  download?: readonly string[]
  /** Whether the response names the audit log entry of the change in x-history-id. */
  isRecorded?: true
  /** 200 if there is an answer and 204 if there is none, unless another one is given. */
  status?: 201
  /** A description of the answer. */
  returns: string
  /** Error codes beyond those that every call of its kind can return. */
  errors?: readonly ErrorCode[]
}

/** The names in braces of a path. */
export type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never

type WithParams<C extends Call> = [ParamNames<C['path']>] extends [never]
  ? { params?: never }
  : { params: Readonly<Record<ParamNames<C['path']>, string>> }

export function defineCall<const C extends Call>(call: C & WithParams<C>): C {
  return call
}

/** What the path takes: the value of each of its parameters. */
export type PathOf<C extends Call> = Readonly<Record<ParamNames<C['path']>, string>>

/** The path of a call with the values of its parameters, escaped. */
export function pathOf<C extends Call>(call: C, values: PathOf<C>): string {
  return fillPath(call.path, values)
}

/** The same for a path whose parameters are not known to the type checker. */
export function fillPath(path: string, values: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
}

/** The readable name of a call: `GET /api/doors/{id}`. */
export function nameOf({ method, path }: Pick<Call, 'method' | 'path'>) {
  return `${method} ${path}`
}

/** Whether X-JS-ACCOUNT and Origin guard the call against forged requests. */
export function isGuarded({ method, hasEffect }: Pick<Call, 'method' | 'hasEffect'>) {
  return method !== 'GET' || hasEffect === true
}

/** The body that a client sends. */
export type BodyOf<C extends Call> = C extends { input: infer Input extends z.ZodType } ? z.input<Input> : undefined

/** The body as the server gets it once it is checked. */
export type InputOf<C extends Call> = C extends { input: infer Input extends z.ZodType } ? z.output<Input> : undefined

/** The query as the server gets it once it is checked. */
export type QueryOf<C extends Call> = C extends { query: infer Query extends z.ZodType } ? z.output<Query> : undefined

/** The body of the answer. */
export type OutputOf<C extends Call> = C extends { output: infer Output extends z.ZodType } ? z.output<Output> : void

export const manage = (subject: Subject) => ({ action: 'manage', subject }) as const satisfies Ability
export const view = (subject: Subject) => ({ action: 'view', subject }) as const satisfies Ability
export const recertify = (subject: Subject) => ({ action: 'recertify', subject }) as const satisfies Ability

/** The names under which schemas appear in the OpenAPI document; a schema without one is written where it is used. */
export const schemaNames = z.registry<{ id: string }>()
