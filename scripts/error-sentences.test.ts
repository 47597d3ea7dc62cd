import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const console = join(import.meta.dirname, '../apps/console/src')

test('§2 errors: the console words errors itself, and reads no sentence of the server', async () => {
  const names = await readdir(console, { recursive: true })
  const files = names.filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
  expect(files.length).toBeGreaterThan(300)
  const readers: string[] = []
  for (const file of files) {
    const source = await readFile(join(console, file), 'utf8')
    if (/\.message\b|\.fields\[|[eE]rror\.fields\b/.test(source)) readers.push(file)
  }
  expect(readers).toEqual([])
})
