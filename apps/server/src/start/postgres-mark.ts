import fs from 'node:fs'
import path from 'node:path'
import { StartupError } from '../startup-error.ts'

const markPath = (dataDir: string): string => path.join(dataDir, 'moved-to-postgres')

/** The data of this folder are in PostgreSQL now, and its pulse.db is that of before. */
export function markMoved(dataDir: string, place: string, at: Date): void {
  fs.writeFileSync(markPath(dataDir), `${place}, ${at.toISOString()}\n`, { mode: 0o600 })
}

export const unmarkMoved = (dataDir: string): void => fs.rmSync(markPath(dataDir), { force: true })

/** Without this, a missing variable would bring back old settings, users and passwords. */
export function refuseMoved(dataDir: string): void {
  const file = markPath(dataDir)
  if (!fs.existsSync(file)) return
  throw new StartupError(
    `The data of ${dataDir} were moved to PostgreSQL (${fs.readFileSync(file, 'utf8').trim()}), and PULSE_DATABASE_URL is not set.`,
    `Set it, or run migrate-from-postgres to bring the data back. To start with the data of before the move, delete ${file}.`,
  )
}
