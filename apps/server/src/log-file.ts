import { type Clock, counting } from '@pulse/domain'
import { existsSync, mkdirSync, readdirSync, statSync, unlinkSync } from 'node:fs'
import path from 'node:path'
import { createStream, type RotatingFileStream } from 'rotating-file-stream'
import { createThrottle } from './timing/throttle.ts'
import { createTicker } from './timing/ticker.ts'

export interface LogFileSettings {
  /** absolute path */
  file: string
  /** a file is rotated at this size */
  maxSizeMB: number
  /** rotated files are removed after this many days; 0 keeps them */
  maxAgeDays: number
  /** compresses rotated files with gzip */
  compress: boolean
}

export interface LogFile {
  /** Writes one line of JSON, including its line end. Never throws and never waits. */
  write(line: string): void
  /** Resolves when all lines are in the file. */
  close(): Promise<void>
}

const dayMs = 86_400_000
const reopenAfterMs = 30_000
/** On a slow disk the log drops lines instead of using more memory. */
const mostWaitingBytes = 8 * 1024 * 1024

/**
 * Writes the log to a file in addition to standard output; only its owner can read it. A write failure is
 * reported once through `report` and the write is retried. Lines that are lost meanwhile are counted.
 */
export function openLogFile(
  settings: LogFileSettings,
  clock: Clock,
  report: (problem: string) => void,
): LogFile {
  const { file } = settings
  const folder = path.dirname(file)
  let stream: RotatingFileStream | undefined
  let lost = 0
  let closing: Promise<void> | undefined
  const reopening = createThrottle({
    clock,
    delayMs: reopenAfterMs,
    run: open,
    onError: (error) => failed(undefined, error as Error),
  })

  function open() {
    try {
      if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 })
      const opened = createStream(path.basename(file), {
        path: folder,
        size: `${settings.maxSizeMB}M`,
        mode: 0o600,
        ...(settings.compress && { compress: 'gzip' as const }),
      })
      stream = opened
      opened.on('error', (error) => failed(opened, error))
      opened.on('warning', (error) => report(`${file}: ${error.message}`))
      opened.on('rotated', removeOld)
      opened.on('open', () => {
        reportLost()
        removeOld()
      })
    } catch (error) {
      failed(undefined, error as Error)
    }
  }

  function failed(of: RotatingFileStream | undefined, error: Error) {
    if (of !== stream || closing) return
    stream = undefined
    report(`The log file ${file} cannot be written: ${error.message}. Pulse retries every 30 seconds.`)
    reopening.call()
  }

  function reportLost() {
    if (lost > 0) report(`${counting(lost, 'line is', 'lines are')} missing in the log file ${file}.`)
    lost = 0
  }

  function removeOld() {
    try {
      for (const name of settings.maxAgeDays > 0 ? readdirSync(folder) : []) {
        const at = path.join(folder, name)
        if (
          isPutAside(name, path.basename(file)) &&
          clock.now() - statSync(at).mtimeMs > settings.maxAgeDays * dayMs
        )
          unlinkSync(at)
      }
    } catch (error) {
      report(`Old log files in ${folder} cannot be removed: ${(error as Error).message}`)
    }
  }

  open()
  const removing = createTicker({
    clock,
    intervalMs: dayMs,
    run: () => stream && removeOld(),
    onError: (error) => report(`Old log files in ${folder} cannot be removed: ${(error as Error).message}`),
  })
  return {
    write(line) {
      if (!stream || stream.writableLength > mostWaitingBytes) lost++
      else stream.write(line, (error) => void (error && lost++))
    },
    close() {
      reopening.cancel()
      removing.stop()
      closing ??= new Promise((resolve) => {
        if (!stream) return resolve()
        stream.once('close', () => resolve())
        stream.end()
      })
      return closing
    },
  }
}

/** Names of rotating-file-stream: 20260131-2359-01-pulse.log, or with .gz when compressed. */
const isPutAside = (name: string, base: string): boolean =>
  /^\d{8}-\d{4}-\d{2,}-/.test(name) && (name.endsWith(`-${base}`) || name.endsWith(`-${base}.gz`))
