import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { signedInClient } from '@portcullis/client/signed-in-client'
import { units } from '@portcullis/contract/collections/units'
import { expect } from '@playwright/test'
import pg from 'pg'
import { engineOfRun } from './engine-of-run.ts'
import { administrator } from './administrator.ts'
import { startHostedServer } from './server-host-process.ts'

/** The contents of an installation before its first journey. */
export type Template = 'empty' | 'demonstration'

type Installation = { databaseUrl: string; dataDir: string }

/** A new installation: a copy of the template's database and data folder. The first caller creates the template. */
export async function copyOf(template: Template, name: string): Promise<Installation> {
  await ensureTemplate(template)
  const dataDir = join(engineOfRun().home, name)
  await cp(dataDirOf(template), dataDir, { recursive: true })
  await withEngine((client) => client.query(`create database ${name} template ${template} strategy file_copy`))
  return { databaseUrl: urlOf(name), dataDir }
}

async function ensureTemplate(template: Template) {
  await withEngine(async (client) => {
    await client.query('select pg_advisory_lock(hashtext($1))', [template])
    const { rowCount } = await client.query('select from pg_database where datname = $1', [template])
    if (rowCount !== 0) return
    const unfinished = `${template}_unfinished`
    await client.query(`create database ${unfinished}`)
    await fill({ databaseUrl: urlOf(unfinished), dataDir: dataDirOf(template) }, template)
    await client.query(`alter database ${unfinished} rename to ${template}`)
  })
}

/** Fills the template by a server's first start. */
async function fill({ databaseUrl, dataDir }: Installation, template: Template) {
  await mkdir(dataDir, { mode: 0o700 })
  const server = await startHostedServer(environmentOf({ databaseUrl, dataDir }, template))
  if (template === 'demonstration') await untilConnected(server.url)
  await server.stop()
}

/** The environment variables of a server on this installation. */
export function environmentOf({ databaseUrl, dataDir }: Installation, template: Template) {
  return {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    DEMO: template === 'demonstration' ? 'on' : 'off',
    ADMIN_EMAIL: administrator.email,
    ADMIN_PASSWORD: administrator.password,
  }
}

/** Waits until every controller has connected once: its key is then in the data folder, and in every copy. */
async function untilConnected(url: string) {
  const { client } = await signedInClient({ baseUrl: url, ...administrator })
  const neverSeen = async () => {
    const { items } = await client.of(units).list({ size: 100 }, { allAccounts: 'yes' })
    return items.filter(({ status }) => status === 'never_seen').length
  }
  await expect.poll(neverSeen, { timeout: 120_000 }).toBe(0)
}

function dataDirOf(template: Template) {
  return join(engineOfRun().home, `template-${template}`)
}

function urlOf(name: string) {
  const url = new URL(engineOfRun().url)
  url.pathname = name
  return url.href
}

async function withEngine<Result>(work: (client: pg.Client) => Promise<Result>) {
  const client = new pg.Client(engineOfRun().url)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
