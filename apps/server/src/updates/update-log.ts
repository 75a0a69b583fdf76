import type { UpdateStatus } from '@pulse/contract'
import fs from 'node:fs'
import path from 'node:path'
import type { Logger } from 'pino'
import { handoverFolder } from './handover.ts'

const folder = `${handoverFolder}/logs`

/** The steps of each update in the history, for administrators who look for the cause of a failure. */
export interface UpdateLog {
  pathOf(id: string): string
  add(id: string, step: UpdateStatus): void
  /** Removes the logs of all other updates. */
  keepOnly(ids: readonly string[]): void
}

/** Only for administrators: a write failure is logged once, and the update continues. */
export function openUpdateLog(dataDir: string, log: Logger): UpdateLog {
  const at = path.join(dataDir, folder)
  let isReported = false
  function attempt(write: () => void): void {
    try {
      write()
    } catch (error) {
      if (!isReported) log.warn(`The log of the update cannot be written: ${(error as Error).message}`)
      isReported = true
    }
  }
  const pathOf = (id: string) => path.join(at, `${id}.log`)

  return {
    pathOf,
    add: (id, step) =>
      attempt(() => {
        fs.mkdirSync(at, { recursive: true, mode: 0o700 })
        fs.appendFileSync(pathOf(id), lineOf(step), { mode: 0o600 })
      }),
    keepOnly: (ids) =>
      attempt(() => {
        const kept = new Set(ids.map((id) => `${id}.log`))
        const names = fs.existsSync(at) ? fs.readdirSync(at) : []
        for (const name of names) if (!kept.has(name)) fs.rmSync(path.join(at, name), { recursive: true })
      }),
  }
}

const lineOf = ({ updatedAt, status, progress, message, error }: UpdateStatus) => {
  const text = error === undefined || error === message ? message : `${message}: ${error}`
  return `${updatedAt} ${status} ${String(progress).padStart(3)} % ${text.replaceAll('\n', ' ')}\n`
}
