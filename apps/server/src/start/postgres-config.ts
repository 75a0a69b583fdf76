import net from 'node:net'
import type { PostgresSettings } from '../db/postgres-settings.ts'
import { StartupError } from '../startup-error.ts'
import { readNamedFile } from './named-file.ts'

const variable = 'PULSE_DATABASE_URL'
const form =
  'Use postgres://USER@HOST:5432/DATABASE, with the password in the file that PULSE_DATABASE_PASSWORD_FILE names.'
const usualPort = 5432
const sslModes = ['disable', 'require', 'verify-ca', 'verify-full'] as const
type SslMode = (typeof sslModes)[number]
/** Others are refused instead of ignored: `sslmode` with a typing error would leave passwords unencrypted. */
const known = ['host', 'sslmode']

/** Undefined: Pulse keeps its data in its own folder. Throws StartupError; no message has the password. */
export function readPostgresConfig(env: NodeJS.ProcessEnv): PostgresSettings | undefined {
  const text = env[variable]?.trim()
  if (!text) return undefined
  const url = URL.parse(text)
  if (!url || !/^postgres(ql)?:$/.test(url.protocol))
    throw new StartupError(`${variable} is not the URL of a PostgreSQL database.`, form)
  const unknown = [...url.searchParams.keys()].find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new StartupError(
      `${variable} has the unknown parameter "${unknown}".`,
      `Use ${known.join(' and ')}.`,
    )
  const [user, inUrl, database] = [url.username, url.password, url.pathname.slice(1)].map(decoded)
  const host = url.searchParams.get('host') ?? decoded(url.hostname).replace(/^\[(.*)\]$/, '$1')
  if (!user || !database || !host)
    throw new StartupError(`${variable} has no ${!user ? 'user' : !database ? 'database' : 'host'}.`, form)
  const password = passwordIn(env, inUrl!)
  return {
    host,
    port: url.port ? Number(url.port) : usualPort,
    user,
    database,
    ...(password !== undefined && { password }),
    ssl: sslOf(env, host, url.searchParams.get('sslmode')),
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch (cause) {
    throw new StartupError(
      `${variable} has a "%" that begins no escaped character.`,
      'Write %25 for a percent sign, or put the password into the file that PULSE_DATABASE_PASSWORD_FILE names.',
      { cause },
    )
  }
}

function passwordIn(env: NodeJS.ProcessEnv, inUrl: string): string | undefined {
  const fromFile = readNamedFile(env, 'PULSE_DATABASE_PASSWORD_FILE')?.replace(/\r?\n$/, '')
  if (fromFile !== undefined && inUrl)
    throw new StartupError(
      `The password of the database is in ${variable} and in the file that PULSE_DATABASE_PASSWORD_FILE names.`,
      'Keep it in one of the two places, preferably in the file.',
    )
  return fromFile ?? (inUrl || undefined)
}

/** On this machine a connection needs no encryption. Elsewhere its absence is a decision that the URL names. */
function sslOf(env: NodeJS.ProcessEnv, host: string, mode: string | null): PostgresSettings['ssl'] {
  const ca = readNamedFile(env, 'PULSE_DATABASE_CA_FILE')
  const chosen = modeOf(mode) ?? (isLocal(host) && ca === undefined ? 'disable' : 'verify-full')
  if (chosen === 'disable') return false
  return {
    ...(ca !== undefined && { ca }),
    ...(chosen === 'require' && { rejectUnauthorized: false }),
    ...(chosen === 'verify-ca' && { checkServerIdentity: () => undefined }),
    ...(net.isIP(host) === 0 && { servername: host }),
  }
}

function modeOf(mode: string | null): SslMode | undefined {
  if (mode === null) return undefined
  const chosen = sslModes.find((one) => one === mode)
  if (chosen) return chosen
  throw new StartupError(`${variable}: sslmode is "${mode}".`, `Use ${sslModes.join(', ')}.`)
}

const isLocal = (host: string): boolean =>
  host.startsWith('/') || host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
