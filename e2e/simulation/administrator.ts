import { type Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { ChangeFeed } from '@portcullis/server/changes/change-feed'
import { createApp } from '@portcullis/server/create-app'
import type { Database } from '@portcullis/server/database/database'
import type { Logins } from '@portcullis/server/database/logins'
import { registerDoorCalls } from '@portcullis/server/doors/doors'
import { credentialNumbersFrom } from '@portcullis/server/numbers/credential-numbers'
import { Policies } from '@portcullis/server/policy/policies'
import { openSession } from '@portcullis/server/sessions/session-store'
import { collectionHooks } from '@portcullis/server/hooks-by-collection'
import { z } from 'zod'
import { date } from './day-scenes.ts'
import { accountRef, type Estate, officeHours, ruleFields } from './estate.ts'
import { at } from './item-at.ts'
import type { Random } from './random.ts'
import type { Mode, Rights } from './rights.ts'
import type { RightsChange } from './rights-changes.ts'
import { Cable } from './simulated-network.ts'

const created = z.object({ _id: z.uuid() })

type AdministratorOptions = { database: Database; logins: Logins; secretKey: Buffer; estate: Estate; random: Random }
type App = Awaited<ReturnType<typeof createApp>>

/** Changes rights and modes through the calls of the API, on a server that has no faults. */
export class Administrator {
  readonly #app: App
  readonly #agent: Agent
  readonly #database: Database
  readonly #estate: Estate
  #holiday = ''

  private constructor(app: App, { database, estate, random }: AdministratorOptions) {
    this.#app = app
    this.#agent = new Cable({ address: '10.0.1.1', random, pick: () => app.server }).agent
    this.#database = database
    this.#estate = estate
  }

  static async open(options: AdministratorOptions) {
    const { database, logins, secretKey } = options
    const feed = new ChangeFeed({ database, logins, notify: 'off' })
    const numbers = credentialNumbersFrom(secretKey)
    const policies = new Policies({ database, feed, numbers })
    const app = await createApp({
      database,
      feed,
      policies,
      publicUrl: undefined,
      authProvider: 'local',
      logLevel: 'silent',
      trustedProxies: [],
      hooksByCollection: collectionHooks(numbers),
      register: (target, { serveCall }) => registerDoorCalls(target, { database, policies, serveCall }),
    })
    await app.ready()
    return new Administrator(app, options)
  }

  /** `rights`: those that the change leads to. */
  async change(change: RightsChange, rights: Rights) {
    const { cards, groups, rules, schedule } = this.#estate
    switch (change.kind) {
      case 'setUser':
        return this.#patch('users', at(cards, change.user).user, { status: change.status })
      case 'limitUser':
        return this.#patch('users', at(cards, change.user).user, { validUntil: instant(change.until) })
      case 'setCard':
        return this.#patch('credentials', at(cards, change.user).id, { status: change.status })
      case 'removeCard':
        return this.#delete('credentials', at(cards, change.user).id)
      case 'issueCard': {
        const card = at(cards, change.user)
        card.id = await this.#create('credentials', { kind: 'card', number: card.number, user: card.user })
        return
      }
      case 'joinGroup':
      case 'leaveGroup': {
        const members = at(rights.groups, change.group).map((index) => at(cards, index).user)
        return this.#patch('userGroups', at(groups, change.group), { members })
      }
      case 'setRule':
        return this.#patch('rules', at(rules, change.rule), { enabled: change.isEnabled })
      case 'removeRule':
        return this.#delete('rules', at(rules, change.rule))
      case 'addRule':
        rules[change.rule] = await this.#create('rules', ruleFields(this.#estate, change.rule))
        return
      case 'setHours':
        return this.#patch('schedules', schedule, { windows: officeHours(rights.hours) })
      case 'addHoliday': {
        const dates = [{ from: date, until: date, recurring: false }]
        this.#holiday = await this.#create('holidays', { name: 'Holiday', kind: 'public', dates })
        return
      }
      case 'endHoliday':
        return this.#delete('holidays', this.#holiday)
    }
  }

  /** Returns the version of the door's mode. */
  async setMode(door: string, { mode, until }: Mode) {
    const body = mode === 'unlocked' || mode === 'blocked' ? { mode, until: instant(until) } : { mode }
    const item = await this.#ask('PUT', `/api/doors/${door}/mode`, body)
    return z.object({ modeVersion: z.int() }).parse(item).modeVersion
  }

  close() {
    return this.#app.close()
  }

  async #create(collection: string, fields: object) {
    return created.parse(await this.#ask('POST', `/api/${collection}`, fields))._id
  }

  async #patch(collection: string, id: string, changes: object) {
    await this.#ask('PATCH', `/api/${collection}/${id}`, changes)
  }

  async #delete(collection: string, id: string) {
    await this.#ask('DELETE', `/api/${collection}/${id}`)
  }

  /** In a new session each time: an earlier one may have been idle for hours. */
  async #ask(method: 'POST' | 'PATCH' | 'PUT' | 'DELETE', path: string, body?: object): Promise<unknown> {
    const person = this.#estate.administrator
    const token = await openSession(this.#database, { person, address: '127.0.0.1', device: undefined })
    const headers = {
      'x-js-account': accountRef,
      cookie: `portcullis=${token}`,
      ...(body && { 'content-type': 'application/json' }),
    }
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    request({ agent: this.#agent, method, path, headers }, resolve)
      .on('error', reject)
      .end(body && JSON.stringify(body))
    const answer = await promise
    const content = await text(answer)
    if (Number(answer.statusCode) >= 300) throw new Error(`${method} ${path}: ${answer.statusCode} ${content}`)
    return content === '' ? undefined : JSON.parse(content)
  }
}

function instant(at: number | null) {
  return at === null ? null : new Date(at).toISOString()
}
