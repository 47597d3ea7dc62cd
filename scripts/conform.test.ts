import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { mkdtemp, rm } from 'node:fs/promises'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { VirtualUnit } from '../packages/controllers/src/virtual-unit.ts'
import { code, smallServer } from '../packages/controllers/src/conformance/small-server.ts'

type Ended = { exitCode: number; out: string; errors: string }

function conform(...given: string[]) {
  return new Promise<Ended>((resolve) => {
    execFile(process.execPath, [join(import.meta.dirname, 'conform.ts'), ...given], (error, out, errors) =>
      resolve({ exitCode: error ? Number(error.code) : 0, out, errors }),
    )
  })
}

async function listening() {
  const server = createServer().listen(0)
  await once(server, 'listening')
  const address = server.address()
  return { server, port: typeof address === 'object' ? String(address?.port) : '' }
}

async function connected(port: string, host: string) {
  const socket = connect(Number(port), host)
  await once(socket, 'connect')
  socket.destroy()
}

async function usedPort() {
  const { server, port } = await listening()
  onTestFinished(() => void server.close())
  return port
}

async function freePort() {
  const { server, port } = await listening()
  server.close()
  await once(server, 'close')
  return port
}

const newCode = '[0-9A-F]{4}(-[0-9A-F]{4}){2}'
const serverOptions = (url: string, given = code) => ['--url', url, '--code', given, '--serial', 'PC-1']

test('conform --help explains both tests', async () => {
  const { exitCode, out } = await conform('--help')
  expect(exitCode).toBe(0)
  expect(out).toContain('Plays the server against a controller. Disconnect the lock of door 1')
  expect(out).toContain('Plays a controller against a server.')
})

test.each([
  [['--patience', 'x'], '--patience must be a whole number from 1 to 3600.'],
  [['--listen', '7000', '--url', 'https://server'], 'Use either --listen, to test a controller, or --url'],
  [['--url', 'server'], '--url must be an address such as https://access.example.com.'],
  [['--url', 'https://server', '--code', 'x'], 'A test of a server also needs --serial.'],
  [['--host', '0.0.0.0', '--url', 'https://server'], 'Use either --host, to test a controller, or --url'],
  [['--host', 'here'], '--host must be an IPv4 address of this machine, such as 0.0.0.0 for all.'],
  [['--serial', 'x'], '--serial belongs to a test of a server, which needs --url.'],
])('conform %j shows the error and the usage', async (given, sentence) => {
  const { exitCode, errors } = await conform(...given)
  expect(exitCode).toBe(2)
  expect(errors.split('\n')[0]).toContain(sentence)
  expect(errors).toContain('npm run conform -- --url URL')
})

test('conform names the option for another port if its port is in use', async () => {
  const port = await usedPort()
  expect(await conform('--listen', port)).toEqual({
    exitCode: 1,
    out: '',
    errors: `Port ${port} is in use. Choose another one with --listen.\n`,
  })
})

/** The first line, which names the addresses and the code. */
async function invitation(...given: string[]) {
  const command = spawn(process.execPath, [join(import.meta.dirname, 'conform.ts'), ...given])
  onTestFinished(() => void command.kill())
  return new Promise<string>((resolve) => command.stdout.once('data', (data: Buffer) => resolve(data.toString())))
}

const ownAddresses = () => Object.values(networkInterfaces()).flatMap((each = []) => each)

test('conform listens for controllers on this machine only, with a new code', async () => {
  const port = await freePort()
  const line = await invitation('--listen', port)
  expect(line).toMatch(
    new RegExp(
      `^Enrol the controller at ws://127.0.0.1:${port}/units \\(on this machine\\) with the code ${newCode}\\.\nDisconnect the lock of door 1 first: the test opens it many times\\.\n\n$`,
    ),
  )
  const [code] = new RegExp(newCode).exec(line) ?? []
  expect(await invitation('--listen', await freePort())).not.toContain(code)
  const elsewhere = ownAddresses().filter(({ family, internal }) => family === 'IPv4' && !internal)
  for (const { address } of elsewhere) await expect(connected(port, address)).rejects.toThrow('ECONNREFUSED')
})

test('conform --host 0.0.0.0 prints the addresses of this machine in its networks, and --code sets the code', async () => {
  const port = await freePort()
  const line = await invitation('--listen', port, '--host', '0.0.0.0', '--code', 'MY-CODE')
  expect(line).toContain(`ws://127.0.0.1:${port}/units (on this machine) with the code MY-CODE.`)
  for (const { address, family, internal } of ownAddresses())
    expect(line.includes(`ws://${address}:${port}/units or `)).toBe(family === 'IPv4' && !internal)
})

test('conform explains an address that this machine does not have', async () => {
  const { exitCode, errors } = await conform('--host', '192.0.2.1')
  expect({ exitCode, errors }).toEqual({ exitCode: 1, errors: 'This machine does not have the address 192.0.2.1.\n' })
})

test('conform explains an address without a server', async () => {
  const { url, close } = await smallServer()
  await close()
  const { exitCode, errors } = await conform(...serverOptions(url))
  expect(exitCode).toBe(1)
  expect(errors).toMatch(/^No Portcullis server answers at .*Check the address, .*\n$/)
})

test('conform explains a refused code', async () => {
  const { url, close } = await smallServer()
  onTestFinished(close)
  const { exitCode, errors } = await conform(...serverOptions(url, 'AAAA-BBBB-CCCC'))
  expect(exitCode).toBe(1)
  expect(errors).toMatch(/^The server refused the code with bad_code: .*The test needs a new code.*\n$/)
})

test('conform reports each rule of a server, and the faults in its exit code', async () => {
  const { url, close } = await smallServer()
  onTestFinished(close)
  const { exitCode, out } = await conform(...serverOptions(url))
  expect(exitCode).toBe(0)
  expect(out).toContain(
    'Now change the direction of the rule, suspend the user, and unlock the door once. The test waits at most 20 s.',
  )
  expect(out).toContain('ok     Events: acknowledges records after they arrive\n')
  expect(out).toMatch(/\n\d+ checked, 0 skipped, 0 faults\.\n$/)

  const faulty = await smallServer('keeps two connections')
  onTestFinished(faulty.close)
  const found = await conform(...serverOptions(faulty.url), '--patience', '1')
  expect(found.exitCode).toBe(1)
  expect(found.out).toContain('FAULT  Connection: keeps one live connection of a unit\n       It welcomed a second')
})

test('conform announces cards and the filling of the log, and counts the rules that it skips', async () => {
  const port = await freePort()
  const given = ['--listen', port, '--code', code, '--patience', '3']
  const command = spawn(process.execPath, [join(import.meta.dirname, 'conform.ts'), ...given])
  onTestFinished(() => void command.kill())
  const dir = await mkdtemp(join(tmpdir(), 'conform-'))
  const pace = { openAfterMs: 1, closeAfterMs: 1 }
  const url = `ws://127.0.0.1:${port}/units`
  const unit = new VirtualUnit({ dir, serial: 'PC-1', url, pace, faults: { maxEvents: 32 } })
  onTestFinished(async () => {
    await unit.stop()
    await rm(dir, { recursive: true, force: true })
  })
  let out = ''
  command.stdout.on('data', (data: Buffer) => {
    if (out === '') void unit.start().then(() => unit.enrol(code))
    out += data.toString()
  })
  await once(command, 'close')
  expect(out).toContain('Now the test fills the log: it sends 128 commands, each of which opens door 1.\n')
  expect(out).toContain('always the same one (1 of up to 11). The test waits at most 3 s.\n')
  expect(out.match(/^skip /gm)).toHaveLength(10)
  expect(out).toMatch(/\n\d+ checked, 10 skipped, 0 faults\.\n$/)
})
