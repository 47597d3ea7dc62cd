import { readdir } from 'node:fs/promises'

const assets = new URL('../../../console/dist/assets/', import.meta.url)

/** Where the console's letters are found, whose address changes with its build; undefined where it is not built. */
export async function consoleFont(): Promise<string | undefined> {
  const names = await readdir(assets).catch(() => [])
  const name = names.find((each) => /^inter-latin-wght-normal-[\w-]+\.woff2$/.test(each))
  return name === undefined ? undefined : `/assets/${name}`
}
