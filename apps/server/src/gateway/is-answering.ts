import { WebSocket } from 'ws'

const answerMs = 2_000

/** Whether the other end of a connection answers a ping within two seconds. */
export function isAnswering(socket: WebSocket) {
  return new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), answerMs)
    const settle = (answer: boolean) => {
      clearTimeout(timer)
      resolve(answer)
    }
    if (socket.readyState !== WebSocket.OPEN) return settle(false)
    socket.once('pong', () => settle(true))
    socket.once('close', () => settle(false))
    socket.ping()
  })
}
