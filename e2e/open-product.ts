import { randomBytes } from 'node:crypto'
import { signedInClient } from '@portcullis/client/signed-in-client'
import { administrator } from './administrator.ts'
import { startControllers } from './product.ts'
import { startHostedServer } from './server-host-process.ts'
import { copyOf, environmentOf, type Template } from './templates.ts'

export type Product = Awaited<ReturnType<typeof openProduct>>
export type ProductWithControllers = Awaited<ReturnType<typeof openWithControllers>>

/** The product for the journeys of one file: its own server, on its own copy of the template's database and data folder. */
export async function openProduct(template: Template = 'empty', { smtpUrl }: { smtpUrl?: string } = {}) {
  const installation = await copyOf(template, `journey_${randomBytes(6).toString('hex')}`)
  const { url, stop: stopServer } = await startHostedServer({
    ...environmentOf(installation, template),
    ...(smtpUrl === undefined ? {} : { SMTP_URL: smtpUrl }),
  })
  const { client } = await signedInClient({ baseUrl: url, ...administrator })
  // Keeps the administrator's session active while the journeys run.
  const desk = setInterval(() => void client.activity().catch(() => {}), 60_000)
  return {
    ...installation,
    url,
    client,
    async stop() {
      clearInterval(desk)
      await stopServer()
    },
  }
}

/** The same with virtual controllers. */
export async function openWithControllers(...parameters: Parameters<typeof openProduct>) {
  const product = await openProduct(...parameters)
  const controllers = await startControllers(product)
  return {
    ...product,
    controllers,
    async stop() {
      await controllers.stop()
      await product.stop()
    },
  }
}
