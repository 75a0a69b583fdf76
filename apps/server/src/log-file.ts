import { type Clock, counting } from '@pulse/domain'
import { existsSync, mkdirSync, readdirSync, statSync, unlinkSync } from 'node:fs'
import path from 'node:path'
import { createStream, type RotatingFileStream } from 'rotating-file-stream'
import { createThrottle } from './timing/throttle.ts'
import { createTicker } from './timing/ticker.ts'

export interface LogFileSettings {
  /** absolute */
  file: string
  /** a file is put aside at this size */
  maxSizeMB: number
  /** files put aside are removed after this many days; 0 keeps them */
  maxAgeDays: number
  /** whether files put aside are compressed with gzip */
  compress: boolean
}

export interface LogFile {
  /** One line of JSON, its line end included. Never throws and never waits. */
  write(line: string): void
  /** Resolves when everything written is in the file. */
  close(): Promise<void>
}

const dayMs = 86_400_000
const reopenAfterMs = 30_000
/** A disk that does not keep up costs lines, not memory. */
const mostWaitingBytes = 8 * 1024 * 1024

/**
 * The log as a file beside standard output, readable by its owner alone. A file that cannot be written is reported
 * through `tell`, once, and tried again; meanwhile lines are counted as lost.
 */
export function openLogFile(
  settings: LogFileSettings,
  clock: Clock,
  tell: (problem: string) => void,
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
      opened.on('warning', (error) => tell(`${file}: ${error.message}`))
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
    tell(`The log file ${file} cannot be written: ${error.message}. Pulse retries every 30 seconds.`)
    reopening.call()
  }

  function reportLost() {
    if (lost > 0) tell(`${counting(lost, 'line is', 'lines are')} missing in the log file ${file}.`)
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
      tell(`Old log files in ${folder} cannot be removed: ${(error as Error).message}`)
    }
  }

  open()
  const removing = createTicker({
    clock,
    intervalMs: dayMs,
    run: () => stream && removeOld(),
    onError: (error) => tell(`Old log files in ${folder} cannot be removed: ${(error as Error).message}`),
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

/** As rotating-file-stream names them: 20260131-2359-01-pulse.log, with .gz behind when compressed. */
const isPutAside = (name: string, base: string): boolean =>
  /^\d{8}-\d{4}-\d{2,}-/.test(name) && (name.endsWith(`-${base}`) || name.endsWith(`-${base}.gz`))
