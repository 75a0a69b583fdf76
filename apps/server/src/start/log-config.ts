import path from 'node:path'
import type { LogFileSettings } from '../log-file.ts'
import { StartupError } from '../startup-error.ts'

/** Where the log is written besides standard output; undefined without LOG_FILE. */
export function readLogFile(env: NodeJS.ProcessEnv): LogFileSettings | undefined {
  const file = env['LOG_FILE']?.trim()
  const others = ['LOG_MAX_SIZE', 'LOG_MAX_AGE', 'LOG_COMPRESS']
  const settings = {
    maxSizeMB: readWhole(env, 'LOG_MAX_SIZE', 100, [1, 10_000]),
    maxAgeDays: readWhole(env, 'LOG_MAX_AGE', 30, [0, 3_650]),
    compress: readCompress(env['LOG_COMPRESS']),
  }
  if (file) return { file: path.resolve(file), ...settings }
  const set = others.find((name) => env[name])
  if (set)
    throw new StartupError(
      `${set} is set, but LOG_FILE is not.`,
      'Name the log file in LOG_FILE, or remove it.',
    )
  return undefined
}

function readWhole(
  env: NodeJS.ProcessEnv,
  name: string,
  otherwise: number,
  [least, most]: [number, number],
): number {
  const text = env[name]?.trim()
  if (!text) return otherwise
  const value = Number(text)
  if (Number.isInteger(value) && value >= least && value <= most) return value
  throw new StartupError(`${name} is "${text}".`, `Use a whole number from ${least} to ${most}.`)
}

function readCompress(text: string | undefined): boolean {
  const word = text?.trim().toLowerCase()
  if (!word || ['true', '1', 'yes', 'on'].includes(word)) return true
  if (['false', '0', 'no', 'off'].includes(word)) return false
  throw new StartupError(`LOG_COMPRESS is "${text}".`, 'Use true or false.')
}
