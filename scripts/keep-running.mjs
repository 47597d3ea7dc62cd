import { spawn } from 'node:child_process'

const isWindows = process.platform === 'win32'
const graceMs = 20_000

/**
 * Runs a program until it ends or a signal stops it; this process then ends with the same code. With `restart`, a program
 * that has once sent the message `ready` starts again when it fails: after `firstMs`, then after twice the time for each
 * failure, at most `maxMs`, and after `firstMs` again once it has lasted for `lastingMs`. A failure before the first
 * `ready` is one of the start, such as an invalid setting, and would repeat.
 */
export function keepRunning({ command, cwd, env, restart }) {
  const [program, ...settings] = command
  let child
  let waitMs = restart?.firstMs
  let hasBeenReady = false
  let isStopping = false
  begin()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(signal))
  stopWithoutParent()

  function begin() {
    const since = Date.now()
    // A separate process group, so that the program receives each signal once, from this process: npm sends a Ctrl-C
    // twice.
    const started = spawn(program, settings, {
      cwd,
      env,
      detached: !isWindows,
      stdio: restart ? ['inherit', 'inherit', 'inherit', 'ipc'] : 'inherit',
    })
    child = started
    started.on('message', (message) => {
      hasBeenReady ||= message === 'ready'
    })
    started.once('error', (error) => {
      console.error(`Node 26 could not be started (${error.message}): run npm ci.`)
      process.exit(1)
    })
    started.once('exit', (code, signal) => {
      killRest(started.pid)
      child = undefined
      const hasFailed = hasBeenReady && !isStopping && code !== 0
      if (!hasFailed) process.exit(code ?? 128 + (signal === 'SIGINT' ? 2 : 15))
      if (Date.now() - since >= restart.lastingMs) waitMs = restart.firstMs
      console.error(`The server ended unexpectedly (${code ?? signal}). It starts again in ${waitMs / 1000} s.`)
      setTimeout(begin, waitMs)
      waitMs = Math.min(waitMs * 2, restart.maxMs)
    })
  }

  function stop(signal) {
    if (isStopping) return
    isStopping = true
    if (child === undefined) process.exit(0)
    child.kill(signal === 'SIGINT' ? 'SIGINT' : 'SIGTERM')
    setTimeout(() => killRest(child?.pid), graceMs).unref()
  }

  /** A shell between npm and this process may die of the signal instead of forwarding it, and npm may be killed. */
  function stopWithoutParent() {
    if (process.env.npm_lifecycle_event === undefined || isWindows) return
    const parent = process.ppid
    setInterval(() => process.ppid !== parent && stop('SIGTERM'), 500).unref()
  }
}

/** Kills the remaining processes of the child's group. */
function killRest(group) {
  if (isWindows || group === undefined) return
  try {
    process.kill(-group, 'SIGKILL')
  } catch {
    // The group has no processes.
  }
}
