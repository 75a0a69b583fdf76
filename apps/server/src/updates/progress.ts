import fs from 'node:fs'
import path from 'node:path'
import { progressFile, requestFile, SwitchProgress, type UpdateRequest } from './handover.ts'
import { writeDurably } from './switch/durable.ts'

const maxBytes = 64 * 1024

/** What the switch says of this update; undefined before it says anything, or when it cannot be read now. */
export function readProgress(dataDir: string, id: string): SwitchProgress | undefined {
  const file = path.join(dataDir, progressFile)
  try {
    if (fs.statSync(file).size > maxBytes) return undefined
    const { success, data } = SwitchProgress.safeParse(JSON.parse(fs.readFileSync(file, 'utf8')))
    return success && data.id === id ? data : undefined
  } catch {
    // not there, or not whole: the next look will see
    return undefined
  }
}

/** The last thing that is written: with it the switch begins. */
export const writeRequest = (dataDir: string, request: UpdateRequest): void =>
  writeDurably(path.join(dataDir, requestFile), JSON.stringify(request))

export const isRequested = (dataDir: string): boolean => fs.existsSync(path.join(dataDir, requestFile))

export const withdrawRequest = (dataDir: string): void =>
  fs.rmSync(path.join(dataDir, requestFile), { force: true })
