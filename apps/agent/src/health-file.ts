import fs from 'node:fs'
import os from 'node:os'
import { type Log, errorText } from './log.ts'

interface HealthFileParts {
  file: string
  intervalMs: number
  log: Log
  /** seconds since the machine's boot; never adjusted */
  uptime?: () => number
}

const shortestSeconds = 30
const longestSeconds = 600

/**
 * Writes a file for the container's health check. It contains the second of the machine's uptime until which
 * this agent counts as healthy. The returned function is called for each accepted report. The validity equals
 * that of a report on the server.
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
