import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import {
  controlError,
  controlFile,
  controlFileName,
  type controlInputs,
  unitState,
  unitStates,
  verdict,
} from './control-protocol.ts'

type Input<Name extends keyof typeof controlInputs> = z.input<(typeof controlInputs)[Name]>

/** Operates the virtual units of another process. Every call throws a ControlError with the sentence of the answer. */
export function controlClient({ url, token }: { url: string; token: string }) {
  const call = async <S extends z.ZodType>(schema: S, path: string, body?: unknown): Promise<z.output<S>> => {
    const response = await fetch(new URL(path, url), {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    const answer: unknown = await response.json()
    if (!response.ok) throw new ControlError(controlError.safeParse(answer).data?.error ?? `status ${response.status}`)
    return schema.parse(answer)
  }
  const path = (serial: string, action: string) => `/units/${encodeURIComponent(serial)}/${action}`
  return {
    list: () => call(unitStates, '/units'),
    get: (serial: string) => call(unitState, `/units/${encodeURIComponent(serial)}`),
    /** Resolves once the server has enrolled the unit. */
    add: (unit: Input<'add'>) => call(unitState, '/units', unit),
    /** Removes a unit that is not enrolled. */
    remove: (serial: string) => call(z.object({}), path(serial, 'remove'), {}),
    /** Returns the unit's decision. */
    present: (serial: string, presented: Input<'present'>) => call(verdict, path(serial, 'present'), presented),
    operateDoor: (serial: string, operation: Input<'door'>) => call(unitState, path(serial, 'door'), operation),
    setFaults: (serial: string, faults: Input<'faults'>) => call(unitState, path(serial, 'faults'), faults),
    start: (serial: string) => call(unitState, path(serial, 'start'), {}),
    stop: (serial: string) => call(unitState, path(serial, 'stop'), {}),
    powerCut: (serial: string) => call(unitState, path(serial, 'power-cut'), {}),
    loseLog: (serial: string) => call(unitState, path(serial, 'lose-log'), {}),
  }
}

export type ControlClient = ReturnType<typeof controlClient>

/** The client of the process with its units in this folder, once the process has written its address there. */
export async function controlClientIn(dir: string) {
  return controlClient(await controlFileIn(dir))
}

/** The address and token that the process has written to this folder. */
export async function controlFileIn(dir: string) {
  return controlFile.parse(JSON.parse(await readFile(join(dir, controlFileName), 'utf8')))
}

export class ControlError extends Error {
  override name = 'ControlError'
}
