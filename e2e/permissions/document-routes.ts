import { z } from 'zod'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** One route of the OpenAPI document. */
export type Route = {
  /** The method and path: `GET /api/sites/{id}`. */
  name: string
  method: Method
  path: string
  /** The requirement on the user: nothing, a session, or an account to act in. */
  requires: 'none' | 'session' | 'account'
  /** Whether it has an effect, and so requires X-JS-ACCOUNT as protection against forged requests. */
  isGuarded: boolean
}

const accountHeader = '#/components/parameters/account'
/** Only calls that act in an account name this header; every call in a session names X-JS-ACCOUNT. */
const assumeHeader = '#/components/parameters/assumeAccount'
const effects = [
  'GET /api/users/forgot',
  'GET /api/users/mfasetup',
  'GET /api/users/{id}/verify',
  'GET /api/users/{id}/verify/{token}',
]

const operation = z.object({
  security: z.array(z.unknown()).optional(),
  parameters: z.array(z.looseObject({ $ref: z.string().optional() })).default([]),
})
const document = z.object({ paths: z.record(z.string(), z.record(z.string(), operation)) })

/** Whether the route reads data of accounts: sign-in routes do not. */
export function isOfAccounts({ requires, path }: Route) {
  return requires === 'account' || path.startsWith('/api/accounts/')
}

/** All routes of the document, in its order. */
export function routesOf(json: unknown): Route[] {
  return Object.entries(document.parse(json).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([word, { security, parameters }]) => {
      const method = methodOf(word)
      const name = `${method} ${path}`
      const isGuarded = method !== 'GET' || effects.includes(name)
      const names = (header: string) => parameters.some(({ $ref }) => $ref === header)
      if (isGuarded && !names(accountHeader)) throw new Error(`${name} has an effect and does not ask for X-JS-ACCOUNT`)
      return {
        name,
        method,
        path,
        requires: requirementOf({ isOpen: security?.length === 0, inAccount: names(assumeHeader) }),
        isGuarded,
      }
    }),
  )
}

function requirementOf({ isOpen, inAccount }: { isOpen: boolean; inAccount: boolean }) {
  if (isOpen) return 'none'
  return inAccount ? 'account' : 'session'
}

function methodOf(word: string) {
  return z.enum(['GET', 'POST', 'PATCH', 'PUT', 'DELETE']).parse(word.toUpperCase())
}
