export const logLevels = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof logLevels)[number]
export type Log = Record<LogLevel, (message: string) => void>

export interface LogOptions {
  level: LogLevel
  /** masked in every line */
  secrets: readonly string[]
  now: () => number
  write: (line: string) => void
}

/** One line per event, for the journal of a service manager. */
export function createLog({ level, secrets, now, write }: LogOptions): Log {
  const from = logLevels.indexOf(level)
  const hide = (text: string) => secrets.reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text)
  const at = (name: LogLevel) => (message: string) => {
    if (logLevels.indexOf(name) < from) return
    // messages of other programs may contain line breaks, but each event is one line
    const line = hide(message).replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' ')
    write(`${new Date(now()).toISOString()} ${name.toUpperCase().padEnd(5)} ${line}\n`)
  }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

/** The message of an error and those of its causes. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : `${error.message} (${errorText(error.cause)})`
}
