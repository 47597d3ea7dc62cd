import { type UnitFrame, unitFrame } from '@portcullis/contract/unit-protocol/frames'
import type { RawData } from 'ws'
import { UnitRefused } from '../ingest/refusal.ts'

/** Reads a frame of a unit. Throws the refusal `malformed`, which names the place of the fault. */
export function readFrame(data: RawData, isBinary: boolean): UnitFrame {
  if (isBinary || !Buffer.isBuffer(data)) throw new UnitRefused('malformed', { detail: 'Frames are text, not binary.' })
  const parsed = unitFrame.safeParse(jsonFrom(data.toString()))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const place = issue?.path.join('.') || 'the frame'
  throw new UnitRefused('malformed', { detail: `At ${place}: ${issue?.message}.` })
}

function jsonFrom(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UnitRefused('malformed', { detail: 'It is not JSON.' })
  }
}
