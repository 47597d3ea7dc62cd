import { limits, type UnitFrame, unitFrame } from '@portcullis/contract/unit-protocol/frames'
import type { RawData } from 'ws'
import { UnitRefused } from '../ingest/refusal.ts'

type ReadFrameOptions = {
  isBinary: boolean
  /** Whether the unit has proved its identity: any other client can send only a short frame. */
  isProven: boolean
}

/** Reads a frame of a unit. Throws the refusal `malformed`, which names the place of the fault. */
export function readFrame(data: RawData, { isBinary, isProven }: ReadFrameOptions): UnitFrame {
  if (isBinary || !Buffer.isBuffer(data)) throw new UnitRefused('malformed', { detail: 'Frames are text, not binary.' })
  if (!isProven && data.length > limits.introductionBytes) throw new UnitRefused('malformed', { detail: tooLong })
  const parsed = unitFrame.safeParse(jsonFrom(data.toString()))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const place = issue?.path.join('.') || 'the frame'
  throw new UnitRefused('malformed', { detail: `At ${place}: ${issue?.message}.` })
}

/** Reads a frame when it is first needed. */
export function readOnce(read: () => UnitFrame) {
  let frame: UnitFrame | undefined
  return () => (frame ??= read())
}

/** False for a frame that cannot be read, which is refused in its turn. */
export function isModeReport(read: () => UnitFrame) {
  try {
    return read().type === 'doorModeApplied'
  } catch {
    return false
  }
}

const tooLong = `The first frame has at most ${limits.introductionBytes} bytes.`

function jsonFrom(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UnitRefused('malformed', { detail: 'It is not JSON.' })
  }
}
