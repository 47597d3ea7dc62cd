import { expect, test } from 'vitest'
import { writeCsv } from './write-csv.ts'

async function lineOf(value: string) {
  async function* pages() {
    yield [[value]]
  }
  const texts = await Array.fromAsync(writeCsv({ name: 'sites', fields: ['name'], titles: ['name'], pages: pages() }))
  return texts.at(-1)
}

test.each(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'])(
  '§7 a text that a spreadsheet might evaluate stays a text: one that begins with %j',
  async (sign) => {
    expect(await lineOf(`${sign}1`)).toMatch(/^"?'/)
  },
)

test('§7 every other text is unchanged', async () => {
  expect(await lineOf('1＝1')).toBe('1＝1\r\n')
})
