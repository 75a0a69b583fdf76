import type { ClusterConfig } from '../cluster/cluster.ts'
import type { NatsSettings } from '../cluster/nats/nats-settings.ts'
import { mainSite, ProcessRole, Site } from '@pulse/contract'
import { StartupError } from '../startup-error.ts'
import { readNamedFile } from './named-file.ts'

const variable = 'PULSE_NATS_URL'
const usualPort = 4222

/** Undefined: this process does everything alone. Throws StartupError. */
export function readClusterConfig(env: NodeJS.ProcessEnv): ClusterConfig | undefined {
  const text = env[variable]?.trim()
  const own = readRoles(env)
  if (!text) {
    if (own.length === roles.length) return undefined
    throw new StartupError(
      `PULSE_ROLES is "${own.join()}", but ${variable} is not set.`,
      `Name the NATS servers with ${variable}, or remove PULSE_ROLES: a single process has all roles.`,
    )
  }
  if (!env['PULSE_DATABASE_URL']?.trim())
    throw new StartupError(
      `${variable} is set, but PULSE_DATABASE_URL is not.`,
      'Several processes need one PostgreSQL database. Name it with PULSE_DATABASE_URL.',
    )
  return { nats: readNats(env), roles: own, site: readSite(env) }
}

export const readSite = (env: NodeJS.ProcessEnv): string => {
  const site = Site.safeParse(env['PULSE_SITE'] ?? '')
  if (site.success) return site.data || mainSite
  throw new StartupError('PULSE_SITE is not the name of a site.', site.error.issues[0]!.message)
}

/** Throws StartupError. */
export function readNats(env: NodeJS.ProcessEnv): NatsSettings {
  const text = env[variable]?.trim() ?? ''
  const urls = text.split(',').map((one) => readUrl(one.trim()))
  const isEncrypted = urls.every(({ protocol }) => protocol === 'tls:')
  if (!isEncrypted && urls.some(({ protocol }) => protocol === 'tls:'))
    throw new StartupError(`${variable} has both tls:// and nats://.`, 'Use tls:// for all servers.')
  const credentials = readNamedFile(env, 'PULSE_NATS_CREDENTIALS_FILE')
  const ca = readNamedFile(env, 'PULSE_NATS_CA_FILE')
  const login = readLogin(env)
  if (login && credentials !== undefined)
    throw new StartupError(
      'PULSE_NATS_USER and PULSE_NATS_CREDENTIALS_FILE are both set.',
      'Use either a user and password or a credentials file.',
    )
  return {
    servers: urls.map(({ hostname, port }) => `${hostname}:${port || usualPort}`),
    isEncrypted,
    ...(credentials !== undefined && { credentials }),
    ...(ca !== undefined && { ca }),
    ...(login && { login }),
  }
}

const roles = ProcessRole.options

function readRoles(env: NodeJS.ProcessEnv): ProcessRole[] {
  const text = env['PULSE_ROLES']?.trim()
  if (!text) return [...roles]
  const given = text.split(',').map((one) => one.trim())
  const unknown = given.find((one) => !roles.some((role) => role === one))
  if (unknown !== undefined)
    throw new StartupError(`PULSE_ROLES has the unknown role "${unknown}".`, `Use ${roles.join(', ')}.`)
  return roles.filter((role) => given.includes(role))
}

function readLogin(env: NodeJS.ProcessEnv): { user: string; password: string } | undefined {
  const user = env['PULSE_NATS_USER']?.trim()
  const password = readNamedFile(env, 'PULSE_NATS_PASSWORD_FILE')?.trim()
  if (user && password) return { user, password }
  if (!user && password === undefined) return undefined
  throw new StartupError(
    user
      ? 'PULSE_NATS_USER is set, but PULSE_NATS_PASSWORD_FILE is not, or the file is empty.'
      : 'PULSE_NATS_PASSWORD_FILE is set, but PULSE_NATS_USER is not.',
    'Set both, or none.',
  )
}

function readUrl(text: string): URL {
  const url = URL.parse(text)
  if (url && /^(nats|tls):$/.test(url.protocol) && url.hostname && !url.username && !url.password) return url
  throw new StartupError(
    `${variable} is not a list of NATS servers.`,
    'Use nats://HOST:4222 or tls://HOST:4222, separated by commas. Credentials belong into the file that PULSE_NATS_CREDENTIALS_FILE names, or a name and a password into PULSE_NATS_USER and the file that PULSE_NATS_PASSWORD_FILE names.',
  )
}
