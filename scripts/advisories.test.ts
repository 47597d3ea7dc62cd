import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { compareVersions, findAffected, readAdvisories } from './advisories.ts'
import lock from '../package-lock.json' with { type: 'json' }

test('versions are in the order of semver.org', () => {
  const inOrder = ['0.9.9', '1.0.0-1', '1.0.0-2', '1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-rc.1', '1.0.0', '1.0.10']
  expect(inOrder.toReversed().toSorted(compareVersions)).toEqual(inOrder)
  expect(compareVersions('1.2.3+build', '1.2.3')).toBe(0)
})

const range = (...events: Record<string, string>[]) => ({ ranges: [{ type: 'SEMVER', events }] })
const inRange = range({ introduced: '1.2.0' }, { fixed: '1.4.1' })

test.each([
  ['in a range', inRange, '1.4.0', true],
  ['before a range', inRange, '1.1.9', false],
  ['the fixed version', inRange, '1.4.1', false],
  ['a candidate of the fixed version', inRange, '1.4.1-rc.1', true],
  ['from the start', range({ introduced: '0' }, { last_affected: '2.0.0' }), '2.0.0', true],
  ['after the last affected version', range({ introduced: '0' }, { last_affected: '2.0.0' }), '2.0.1', false],
  ['in a second range', range({ introduced: '0' }, { fixed: '1.0.0' }, { introduced: '2.0.0' }), '2.1.0', true],
  ['between two ranges', range({ introduced: '0' }, { fixed: '1.0.0' }, { introduced: '2.0.0' }), '1.5.0', false],
  ['without an end', range({ introduced: '3.0.0' }), '9.0.0', true],
  ['listed', { versions: ['0.0.7'] }, '0.0.7', true],
])('an advisory names a version %s', (_what, affected, version, isFound) => {
  const osv = { id: 'OSV-1', affected: [{ package: { ecosystem: 'npm', name: 'pg' }, ...affected }] }
  const found = findAffected([{ name: 'pg', version, isDevelopment: false }], readAdvisories(osv))
  expect(found.length).toBe(isFound ? 1 : 0)
})

test('withdrawn advisories, those of another package and those of another ecosystem name no component', () => {
  const everything = { versions: ['1.0.0'] }
  const npm = { ecosystem: 'npm', name: 'pg' }
  const advisories = readAdvisories([
    { id: 'OSV-1', withdrawn: '2026-01-01T00:00:00Z', affected: [{ package: npm, ...everything }] },
    { id: 'OSV-2', affected: [{ package: { ...npm, name: 'pg-pool' }, ...everything }] },
    { id: 'OSV-3', affected: [{ package: { ...npm, ecosystem: 'PyPI' }, ...everything }] },
  ])
  expect(findAffected([{ name: 'pg', version: '1.0.0', isDevelopment: false }], advisories)).toEqual([])
})

test('npm run sbom writes every package with its hash, and fails where an advisory of the file names one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'portcullis-sbom-'))
  try {
    const [out, file] = [join(folder, 'sbom.json'), join(folder, 'osv.json')]
    const { version } = lock.packages['node_modules/fastify']
    const osv = { id: 'OSV-2026-1', summary: 'Made up.', affected: [{ ...fastify, versions: [version] }] }
    await writeFile(file, JSON.stringify([osv]))
    const found = await runSbom(['--out', out, '--advisories', file])
    expect(found).toMatchObject({ code: 1, stderr: `fastify ${version}: OSV-2026-1 Made up.\n` })
    const { components } = bill.parse(JSON.parse(await readFile(out, 'utf8')))
    const named = (name: string) => components.find((each) => each.name === name)
    expect(named('fastify')).toMatchObject({ version, hashes: [{ alg: 'SHA-512' }] })
    expect(named('vitest')?.properties).toContainEqual({ name: 'cdx:npm:package:development', value: 'true' })

    await writeFile(file, JSON.stringify({ ...osv, affected: [{ ...fastify, versions: ['0.0.1'] }] }))
    expect((await runSbom(['--out', out, '--advisories', file])).code).toBe(0)
  } finally {
    await rm(folder, { recursive: true })
  }
})

const fastify = { package: { ecosystem: 'npm', name: 'fastify' } }
const component = z.looseObject({ name: z.string(), properties: z.array(z.unknown()).optional() })
const bill = z.looseObject({ components: z.array(component) })

async function runSbom(args: string[]) {
  const { promise, resolve } = Promise.withResolvers<{ code: unknown; stderr: string }>()
  const script = join(import.meta.dirname, 'sbom.ts')
  execFile(process.execPath, [script, ...args], (error, _stdout, stderr) => {
    resolve({ code: error?.code ?? 0, stderr })
  })
  return promise
}
