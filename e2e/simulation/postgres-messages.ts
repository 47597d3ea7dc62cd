/** Finds the types of the messages in a stream of PostgreSQL's protocol, without the first message of a client. */
export class MessageTypes {
  #skip = 0
  #rest = Buffer.alloc(0)

  read(bytes: Buffer) {
    const types: string[] = []
    const begin = Math.min(this.#skip, bytes.length)
    this.#skip -= begin
    let rest = Buffer.concat([this.#rest, bytes.subarray(begin)])
    while (rest.length >= headerBytes) {
      types.push(String.fromCharCode(rest[0] ?? 0))
      const length = 1 + rest.readUInt32BE(1)
      this.#skip = Math.max(0, length - rest.length)
      rest = rest.subarray(length)
    }
    this.#rest = rest
    return types
  }
}

const headerBytes = 5

/** The part of the answers to a sign-in that follows the proof of the password: what a session begins with. */
export function greetingIn(answers: Buffer) {
  let at = 0
  while (at + headerBytes <= answers.length) {
    const isAuthenticated = answers[at] === 'R'.charCodeAt(0) && answers.readUInt32BE(at + headerBytes) === 0
    if (isAuthenticated) return answers.subarray(at)
    at += 1 + answers.readUInt32BE(at + 1)
  }
  throw new Error('PostgreSQL has not accepted the sign-in.')
}

export function simpleQuery(text: string) {
  const body = Buffer.from(`${text}\0`)
  const header = Buffer.from('Q....')
  header.writeUInt32BE(body.length + 4, 1)
  return Buffer.concat([header, body])
}
