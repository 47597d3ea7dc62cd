import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { z } from 'zod'
import { probed } from './live-figures.ts'

const message = z.tuple([z.unknown()]).rest(z.unknown())

/** Measures the times of `/health/live`, beside those of a bare server, from another process. */
export async function openMeasuring(url: string) {
  const bare = fork(join(import.meta.dirname, 'bare-process.ts'))
  const bareUrl = z.string().parse(await received(bare))
  const probe = fork(join(import.meta.dirname, 'probe-process.ts'), [url, bareUrl])
  return {
    begin: () => void probe.send('start'),
    async end() {
      const answer = received(probe)
      probe.send('stop')
      return probed.parse(await answer)
    },
    close() {
      probe.disconnect()
      bare.disconnect()
    },
  }
}

async function received(child: ReturnType<typeof fork>) {
  return message.parse(await once(child, 'message'))[0]
}
