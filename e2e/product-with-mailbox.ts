import { openTestMailbox } from '../apps/server/src/mail/test-mailbox.ts'
import { openProduct } from './open-product.ts'

/** An empty product with a mail server that stores the mails it receives. Both stop together. */
export async function openProductWithMailbox() {
  const mailbox = await openTestMailbox()
  const product = await openProduct('empty', { smtpUrl: mailbox.url })
  async function stop() {
    await product.stop()
    await mailbox.close()
  }
  return { mailbox, product: { ...product, stop } }
}
