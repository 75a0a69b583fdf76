import fs from 'node:fs'
import path from 'node:path'
import { progressFile, requestFile, SwitchProgress, type UpdateRequest } from './handover.ts'
import { writeDurably } from './switch/durable.ts'

const maxBytes = 64 * 1024

/**
 * The switch's progress for this update; undefined before the first report, or when the file is unreadable
 * now.
 */
export function readProgress(dataDir: string, id: string): SwitchProgress | undefined {
  const file = path.join(dataDir, progressFile)
  try {
    if (fs.statSync(file).size > maxBytes) return undefined
    const { success, data } = SwitchProgress.safeParse(JSON.parse(fs.readFileSync(file, 'utf8')))
    return success && data.id === id ? data : undefined
  } catch {
    // missing or incomplete; the next read may succeed
    return undefined
  }
}

/** Written last, because it starts the switch. */
export const writeRequest = (dataDir: string, request: UpdateRequest): void =>
  writeDurably(path.join(dataDir, requestFile), JSON.stringify(request))

export const isRequested = (dataDir: string): boolean => fs.existsSync(path.join(dataDir, requestFile))

export const withdrawRequest = (dataDir: string): void =>
  fs.rmSync(path.join(dataDir, requestFile), { force: true })
