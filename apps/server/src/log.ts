import { type Logger, pino } from 'pino'

/** One JSON line a fact, or plain lines for a terminal. */
export function createLog(level: string, pretty: boolean): Logger {
  if (!pretty) return pino({ level, timestamp: pino.stdTimeFunctions.isoTime })
  return pino({ level, timestamp: false }, { write: (line: string) => process.stdout.write(toText(line)) })
}

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
    err,
    ...rest
  } = JSON.parse(line) as {
    level: number
    msg?: string
    pid: number
    hostname: string
    err?: { message: string; stack?: string }
  }
  const time = new Date().toLocaleTimeString('en-GB')
  const facts = Object.entries(rest).map(([key, value]) => `${key}=${JSON.stringify(value)}`)
  const problem = err ? `\n  ${err.stack ?? err.message}` : ''
  return `${[time, (names[level] ?? '').padEnd(5), msg, ...facts].join(' ')}${problem}\n`
}
