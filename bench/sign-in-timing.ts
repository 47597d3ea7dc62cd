import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbedded } from '../apps/server/src/database/embedded/start-embedded.ts'
import { startChild } from './child.ts'
import { median, quantile } from './median.ts'

/**
 * Measures whether the time of a failed sign-in shows which users exist. It tries wrong passwords in turn for a user who
 * can sign in, for an email without a user, and for suspended, unverified and throttled users. It prints the differences of
 * the medians next to the noise: the differences between random groups of the same times.
 *   node bench/sign-in-timing.ts [tries of each]
 */
const tries = Number(process.argv[2] ?? 200)
const warmUp = 20
const kinds = ['known', 'unknown', 'suspended', 'unverified', 'throttled'] as const
type Kind = (typeof kinds)[number]
const emailOf = (kind: Kind) => `${kind}@people.example`

const folder = await mkdtemp(join(tmpdir(), 'portcullis-timing-'))
const engine = await startEmbedded({ dataDir: folder, log: () => {} })
const owner = new pg.Client(
  Object.assign(new URL(engine.adminUrl), { pathname: new URL(engine.databaseUrl).pathname }).href,
)
try {
  const server = await startChild({
    program: 'apps/server/src/main.ts',
    environment: {
      PORT: '0',
      HOST: '127.0.0.1',
      DEMO: 'off',
      DATA_DIR: join(folder, 'server'),
      DATABASE_URL: engine.databaseUrl,
      ADMIN_PASSWORD: 'a gate that only opens inward',
    },
    readyLine: /Portcullis is ready: (\S+)/,
  })
  try {
    await owner.connect()
    await makePeople()
    const times = await take(server.caught)
    report(times)
  } finally {
    await server.stop()
  }
} finally {
  await owner.end()
  await engine.stop()
  await rm(folder, { recursive: true, force: true })
}

/** All of them have the administrator's password; they differ in why they cannot sign in. */
async function makePeople() {
  for (const kind of kinds) {
    if (kind === 'unknown') continue
    await owner.query(
      `with made as (
         insert into person (person_id, person_home, person_name, person_email, person_verified, person_password_hash)
         select gen_random_uuid(), person_home, $1, $2, $1 <> 'unverified', person_password_hash
           from person where person_hyper limit 1 returning person_id, person_home)
       insert into membership (membership_user, membership_account, membership_role, membership_status)
       select person_id, person_home, 'appUser', case when $1 = 'suspended' then 'suspended' else 'active' end from made`,
      [kind, emailOf(kind)],
    )
  }
}

async function take(url: string) {
  const times = new Map<Kind, number[]>(kinds.map((kind) => [kind, []]))
  for (let round = -warmUp; round < tries; round += 1) {
    for (const kind of inAnyOrder(kinds)) {
      await prepare(url, kind)
      const began = performance.now()
      const status = await wrongPassword(url, kind)
      const time = performance.now() - began
      if (status !== 403) throw new Error(`A wrong password for ${emailOf(kind)} was answered with ${status}.`)
      if (round >= 0) times.get(kind)?.push(time)
    }
  }
  return times
}

/** Removes earlier attempts, which would throttle all users; only the throttled user keeps enough of them. */
async function prepare(url: string, kind: Kind) {
  if (kind !== 'throttled') {
    await owner.query('delete from sign_in_failure')
    return
  }
  const keys = 'select distinct sign_in_failure_key as key from sign_in_failure'
  await owner.query('delete from sign_in_failure')
  await wrongPassword(url, kind)
  await owner.query(
    `insert into sign_in_failure (sign_in_failure_key)
     select key from (${keys}) known, generate_series(1, 20) where key like 'pair %'`,
  )
}

async function wrongPassword(url: string, kind: Kind) {
  const response = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-js-account': 'null' },
    body: JSON.stringify({ email: emailOf(kind), password: 'not the password', type: 'Local' }),
  })
  await response.text()
  return response.status
}

function report(times: ReadonlyMap<Kind, readonly number[]>) {
  const reference = times.get('known') ?? []
  console.log(`a wrong password, ${tries} times each, in turns:`)
  for (const [kind, taken] of times) {
    const own = `median ${ms(median(taken))}, half of them ${ms(quantile(taken, 0.25))} to ${ms(quantile(taken, 0.75))}`
    if (kind === 'known') {
      console.log(`  ${kind.padEnd(11)} ${own}`)
      continue
    }
    const difference = Math.abs(median(taken) - median(reference))
    const noise = noiseOf(reference, taken)
    const verdict = difference < noise ? 'less than the noise' : 'MORE THAN THE NOISE'
    console.log(`  ${kind.padEnd(11)} ${own}; ${ms(difference)} from known, ${verdict} of ${ms(noise)}`)
  }
}

/** The noise: the difference of the medians in 99 of 100 random divisions of all times, from a thousand divisions. */
function noiseOf(one: readonly number[], other: readonly number[]) {
  const all = [...one, ...other]
  const differences = Array.from({ length: 1_000 }, () => {
    const dealt = inAnyOrder(all)
    return Math.abs(median(dealt.slice(0, one.length)) - median(dealt.slice(one.length)))
  })
  return quantile(differences, 0.99)
}

function inAnyOrder<T>(values: readonly T[]): T[] {
  return values
    .map((value) => ({ value, place: Math.random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ value }) => value)
}

function ms(time: number) {
  return `${time.toFixed(2)} ms`
}
