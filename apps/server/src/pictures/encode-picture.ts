import { createHash } from 'node:crypto'
import { problem } from '@portcullis/contract/errors/problem'
import sharp from 'sharp'
import { unusable } from '../errors/unusable.ts'
import { Turns } from '../limits/turns.ts'

// One picture at a time, on one thread and without a cache: decoding takes memory and the threads that hash passwords.
sharp.concurrency(1)
sharp.cache(false)
const turnsOfAccount = new Turns({ most: 1, waiting: 4 })
/** Each holds an upload of some megabytes. */
const turnsOfAll = new Turns({ most: 1, waiting: 20 })

/** A small file can decompress into a picture that fills the memory. */
const maxInputPixels = 25_000_000

/** Ordinary progressive files have about ten. Each takes as long as decoding the whole picture, even if it is empty. */
const maxScans = 100
const startOfScan = Buffer.from([0xff, 0xda])
const timeoutSeconds = 20

const formats: readonly string[] = ['png', 'jpeg', 'webp']

export type Picture = { bytes: Buffer; tag: string; width: number; height: number }
type EncodePictureInput = { upload: unknown; account: number; maxSidePx: number }

/**
 * Re-encodes an upload as an upright WebP whose longer side has at most this size, without other data of the file. The
 * format is detected from the content; the declared name and type are ignored. The tag identifies the content.
 */
export function encodePicture({ upload, account, maxSidePx }: EncodePictureInput): Promise<Picture> {
  return turnsOfAccount.take(`${account}`, () => turnsOfAll.take('picture', () => encode(upload, maxSidePx)))
}

async function encode(upload: unknown, maxSidePx: number): Promise<Picture> {
  if (!Buffer.isBuffer(upload) || upload.length === 0) throw notAPicture()
  if (hasManyScans(upload)) throw notAPicture()
  const picture = sharp(upload, { limitInputPixels: maxInputPixels, failOn: 'error' }).timeout({
    seconds: timeoutSeconds,
  })
  const { format } = await picture.metadata().catch(refuse)
  if (!formats.includes(format)) throw notAPicture()
  const { data: bytes, info } = await picture
    .rotate()
    .resize(maxSidePx, maxSidePx, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 88 })
    .toBuffer({ resolveWithObject: true })
    .catch(refuse)
  const tag = createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
  return { bytes, tag, width: info.width, height: info.height }
}

/** In a JPEG, the bytes of this marker appear in no other place than an embedded preview. */
function hasManyScans(upload: Buffer) {
  if (upload[0] !== 0xff || upload[1] !== 0xd8) return false
  let count = 0
  for (let at = upload.indexOf(startOfScan); at !== -1 && count <= maxScans; at = upload.indexOf(startOfScan, at + 2))
    count += 1
  return count > maxScans
}

function refuse(cause: unknown): never {
  throw notAPicture(cause)
}

function notAPicture(cause?: unknown) {
  return unusable('image', problem('not_a_picture'), cause)
}
