import { problem } from '@portcullis/contract/errors/problem'
import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { unusable } from '../errors/unusable.ts'

/** The longer side of what is kept. */
const mostPx = 256
/** A small file can unfold into a picture that fills the memory. */
const mostPixels = 40_000_000

const kinds: readonly string[] = ['png', 'jpeg', 'webp']

export type SmallImage = { bytes: Buffer; tag: string }

/**
 * Makes a picture of at most 256 px out of what was uploaded: drawn and written anew as WebP, upright, with nothing of what else the
 * file may hold. Its content tells what it is; names and types that came along don't count.
 */
export async function smallImage(upload: unknown): Promise<SmallImage> {
  if (!Buffer.isBuffer(upload) || upload.length === 0) throw notAPicture()
  const picture = sharp(upload, { limitInputPixels: mostPixels, failOn: 'error' })
  const { format } = await picture.metadata().catch(refuse)
  if (!kinds.includes(format)) throw notAPicture()
  const bytes = await picture
    .rotate()
    .resize(mostPx, mostPx, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 88 })
    .toBuffer()
    .catch(refuse)
  return { bytes, tag: createHash('sha256').update(bytes).digest('base64url').slice(0, 22) }
}

function refuse(cause: unknown): never {
  throw notAPicture(cause)
}

function notAPicture(cause?: unknown) {
  return unusable('image', problem('not_a_picture'), cause)
}
