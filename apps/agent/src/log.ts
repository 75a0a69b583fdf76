export const logLevels = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof logLevels)[number]
export type Log = Record<LogLevel, (message: string) => void>

export interface LogOptions {
  level: LogLevel
  /** what no line may show, whoever put it there */
  secrets: readonly string[]
  now: () => number
  write: (line: string) => void
}

/** One line per fact, as a service manager's journal takes it. */
export function createLog({ level, secrets, now, write }: LogOptions): Log {
  const from = logLevels.indexOf(level)
  const hide = (text: string) => secrets.reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text)
  const at = (name: LogLevel) => (message: string) => {
    if (logLevels.indexOf(name) < from) return
    // what others said may hold line breaks: one fact stays one line
    const line = hide(message).replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' ')
    write(`${new Date(now()).toISOString()} ${name.toUpperCase().padEnd(5)} ${line}\n`)
  }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

/** What went wrong, with what was behind it. */
export function said(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : `${error.message} (${said(error.cause)})`
}
