import fs from 'node:fs'
import os from 'node:os'
import { type Log, errorText } from './log.ts'

interface HealthFileParts {
  file: string
  intervalMs: number
  log: Log
  /** seconds since the machine was started: never adjusted */
  uptime?: () => number
}

const shortestSeconds = 30
const longestSeconds = 600

/**
 * Writes until which second of the machine's uptime this agent counts as healthy, for the health check of the container.
 * The returned function is called for each accepted report. The validity is that of a report at the server.
 */
export function createHealthFile({ file, intervalMs, log, uptime = os.uptime }: HealthFileParts): () => void {
  const seconds = Math.min(longestSeconds, Math.max(shortestSeconds, (4 * intervalMs) / 1_000))
  let isLogged = false
  return () => {
    try {
      fs.writeFileSync(file, `${Math.ceil(uptime() + seconds)}\n`)
      isLogged = false
    } catch (error) {
      if (!isLogged) log.warn(`PULSE_HEALTH_FILE cannot be written: ${errorText(error)}`)
      isLogged = true
    }
  }
}
