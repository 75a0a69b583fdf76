import type { ProcessFigures } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import fs from 'node:fs'

/** Over less, a single call would look like many. */
const leastMs = 5_000

type Rates = Pick<ProcessFigures, 'callsPerMinute' | 'writtenPerSecond'>

/** Bytes that the process has written to disk; undefined where the system does not count them. */
export function writtenBytes(file = '/proc/self/io'): number | undefined {
  try {
    const [, bytes] = /^write_bytes: (\d+)$/m.exec(fs.readFileSync(file, 'utf8')) ?? []
    return bytes === undefined ? undefined : Number(bytes)
  } catch {
    // another system, or a container without the right to read it
    return undefined
  }
}

/**
 * Rates since the reading before, from counts. The calls of a connection that was removed are no longer
 * counted, so a count that became smaller has no rate.
 */
export function createProcessRates({ monotonic }: Pick<Clock, 'monotonic'>) {
  let before: { at: number; calls: number; written: number | undefined } | undefined
  let rates: Rates = {}
  return (calls: number, written: number | undefined): Rates => {
    const at = monotonic()
    if (before && at - before.at < leastMs) return rates
    const lengthMs = before && at - before.at
    const rate = (now: number | undefined, then: number | undefined, perMs: number) =>
      lengthMs === undefined || now === undefined || then === undefined || now < then
        ? undefined
        : ((now - then) / lengthMs) * perMs
    const callsPerMinute = rate(calls, before?.calls, 60_000)
    const writtenPerSecond = rate(written, before?.written, 1_000)
    rates = {
      ...(callsPerMinute !== undefined && { callsPerMinute }),
      ...(writtenPerSecond !== undefined && { writtenPerSecond }),
    }
    before = { at, calls, written }
    return rates
  }
}
