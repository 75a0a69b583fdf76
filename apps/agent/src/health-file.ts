import fs from 'node:fs'
import os from 'node:os'
import { type Log, said } from './log.ts'

interface HealthFileParts {
  file: string
  intervalMs: number
  log: Log
  /** seconds since the machine was started: nobody sets them */
  uptime?: () => number
}

const shortestSeconds = 30
const longestSeconds = 600

/**
 * Whoever looks after the container reads there until which second of the machine's uptime this agent counts as
 * healthy. What it returns is called for each report that a server took; a server misses a host after as long.
 */
export function createHealthFile({ file, intervalMs, log, uptime = os.uptime }: HealthFileParts): () => void {
  const seconds = Math.min(longestSeconds, Math.max(shortestSeconds, (4 * intervalMs) / 1_000))
  let isTold = false
  return () => {
    try {
      fs.writeFileSync(file, `${Math.ceil(uptime() + seconds)}\n`)
      isTold = false
    } catch (error) {
      if (!isTold) log.warn(`PULSE_HEALTH_FILE cannot be written: ${said(error)}`)
      isTold = true
    }
  }
}
