import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeSendMail } from './send-mail.ts'
import { openTestMailbox } from './test-mailbox.ts'

const link = `http://localhost:3000/authentication/password-reset/${'0'.repeat(36)}/${'a'.repeat(43)}`
const mail = {
  sender: 'Portcullis',
  logo: Buffer.from('a picture'),
  to: { name: `Siobhán "Shiv" O'Reilly, <head>`, address: 'siobhan@harbour.example' },
  subject: 'Cartão de acesso',
  text: `Olá,\n\n${link}?a=b\n`,
  html: `<p>Olá,</p><a href="${link}?a=b">Abrir</a>`,
}

let dataDir: string
let logged: string
let log: ReturnType<typeof pino>

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'portcullis-mail-'))
  logged = ''
  const lines = new Writable({
    write(chunk, _encoding, done) {
      logged += String(chunk)
      done()
    },
  })
  log = pino({ level: 'warn' }, lines)
})
afterEach(() => rm(dataDir, { recursive: true }))

test('without SMTP_URL an email is kept as a file for its owner only, its link unbroken, and the log names the file', async () => {
  await makeSendMail({ smtpUrl: undefined, publicUrl: undefined, dataDir, log })(mail)
  const outbox = join(dataDir, 'outbox')
  const [name = ''] = await readdir(outbox)
  const path = join(outbox, name)
  expect(name).toMatch(/\.eml$/)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect((await stat(outbox)).mode & 0o777).toBe(0o700)
  const written = await readFile(path, 'utf8')
  expect(written).toContain(`Olá,\r\n\r\n${link}?a=b\r\n`)
  expect(written).toContain('Content-ID: <logo>')
  expect(written).toContain(`<p>Olá,</p><a href="${link}?a=b">Abrir</a>`)
  expect(written).toContain('<siobhan@harbour.example>')
  expect(JSON.parse(logged)).toMatchObject({ outbox: path })
  expect(logged).not.toContain('password-reset')
})

test('with SMTP_URL the mail server receives it, from an address of the public host', async () => {
  const mailbox = await openTestMailbox()
  try {
    const publicUrl = 'https://doors.example.com'
    await makeSendMail({ smtpUrl: mailbox.url, publicUrl, dataDir, log })(mail)
  } finally {
    await mailbox.close()
  }
  const [received] = mailbox.mails
  expect(received?.to).toEqual(['siobhan@harbour.example'])
  expect(received?.message).toContain('From: Portcullis <no-reply@doors.example.com>')
  expect(received?.message).toContain('Auto-Submitted: auto-generated')
  expect(await readdir(dataDir)).toEqual([])
})

test('an unreachable mail server makes sending fail', async () => {
  const mailbox = await openTestMailbox()
  await mailbox.close()
  const sendMail = makeSendMail({ smtpUrl: mailbox.url, publicUrl: undefined, dataDir, log })
  await expect(sendMail(mail)).rejects.toThrow('ECONNREFUSED')
})
