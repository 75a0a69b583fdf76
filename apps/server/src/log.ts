import type { LogLevel } from '@pulse/contract'
import { type Logger, type LoggerOptions, pino } from 'pino'

export interface Log {
  log: Logger
  /** For the audit log: written at every level, so that no setting silences it. */
  audit: Logger
  /** Applies to this log and all its children, including existing ones. */
  setLevel(level: LogLevel): void
}

/** Writes JSON lines, or plain lines for a terminal; `copy` always gets the JSON lines. */
export function createLog(
  level: LogLevel,
  pretty: boolean,
  write = writeOut,
  copy?: (line: string) => void,
): Log {
  let least = rankOf(level)
  const options: LoggerOptions = {
    level: 'trace',
    timestamp: pretty && !copy ? false : pino.stdTimeFunctions.isoTime,
    hooks: {
      // A pino child keeps the level that its parent had at creation, so each line checks the current level.
      logMethod(args, method, rank) {
        if (rank >= least) method.apply(this, args)
      },
    },
  }
  const { hooks: _, ...unfiltered } = options
  const out = {
    write(line: string) {
      write(pretty ? toText(line) : line)
      copy?.(line)
    },
  }
  const log = pino(options, out)
  return { log, audit: pino(unfiltered, out), setLevel: (level) => void (least = rankOf(level)) }
}

const rankOf = (level: LogLevel) => (level === 'silent' ? Infinity : pino.levels.values[level]!)
const writeOut = (text: string) => void process.stdout.write(text)

const names: Record<number, string> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
}

function toText(line: string): string {
  const {
    level,
    msg,
    pid: _pid,
    hostname: _hostname,
    time: _time,
    err,
    ...rest
  } = JSON.parse(line) as {
    level: number
    msg?: string
    pid: number
    hostname: string
    time?: string
    err?: { message: string; stack?: string }
  }
  const time = new Date().toLocaleTimeString('en-GB')
  const facts = Object.entries(rest).map(([key, value]) => `${key}=${JSON.stringify(value)}`)
  const problem = err ? `\n  ${err.stack ?? err.message}` : ''
  return `${[time, (names[level] ?? '').padEnd(5), msg, ...facts].join(' ')}${problem}\n`
}
