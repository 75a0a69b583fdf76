import { LogLevel, mainSite, systemDefaults } from '@pulse/contract'
import path from 'node:path'
import { type NatsSettings, siteApiPrefix } from '../cluster/nats/nats-settings.ts'
import { StartupError } from '../startup-error.ts'
import { readNats, readSite } from './cluster-config.ts'
import { readKey } from './key-file.ts'
import { type Listening, readListening } from './listening.ts'

const keyVariable = 'PULSE_SITE_KEY_FILE'
const usual = 'docs/cluster.md, "Collectors elsewhere", lists the variables.'

/** A collector at another site, which has no database and reaches NATS alone. */
export interface RemoteConfig {
  nats: NatsSettings
  site: string
  /** of the site */
  key: Buffer
  listening: Listening
  logLevel: LogLevel
  /** readable lines instead of JSON */
  logPretty: boolean
}

/** The key of a site makes a process one of its collectors. */
export const isRemote = (env: NodeJS.ProcessEnv): boolean => Boolean(env[keyVariable]?.trim())

/** Throws StartupError on an invalid value. */
export function readRemoteConfig(env: NodeJS.ProcessEnv, { tty }: { tty: boolean }): RemoteConfig {
  if (env['PULSE_DATABASE_URL']?.trim())
    throw new StartupError(
      `${keyVariable} and PULSE_DATABASE_URL are both set.`,
      'A collector with a database needs no key of its site, and one with a key no database. Remove one of them.',
    )
  if (env['PULSE_ROLES']?.trim() !== 'collect')
    throw new StartupError(
      `${keyVariable} is set, but PULSE_ROLES is not "collect".`,
      'A process without a database can only collect. Set PULSE_ROLES=collect.',
    )
  if (!env['PULSE_NATS_URL']?.trim())
    throw new StartupError(`${keyVariable} is set, but PULSE_NATS_URL is not.`, usual)
  const site = readSite(env)
  if (site === mainSite)
    throw new StartupError(
      'PULSE_SITE is missing, or names the main site.',
      'Set it to the name that the connections have in the field Site.',
    )
  const file = path.resolve(env[keyVariable]!.trim())
  const key = readKey(file)
  if (!key)
    throw new StartupError(
      `The key of the site, ${file}, is missing.`,
      `Make it where Pulse has its database, with: site-key ${site}`,
    )
  const level = LogLevel.safeParse(env['LOG_LEVEL']?.trim() || systemDefaults.logLevel)
  if (!level.success)
    throw new StartupError(
      `LOG_LEVEL is "${env['LOG_LEVEL']}".`,
      `Use one of ${LogLevel.options.join(', ')}.`,
    )
  const listening = readListening(env, false)
  const format = env['LOG_FORMAT'] || 'auto'
  return {
    nats: { ...readNats(env), apiPrefix: siteApiPrefix },
    site,
    key,
    listening: { ...listening, listenAddress: listening.listenAddress ?? '127.0.0.1' },
    logLevel: level.data,
    logPretty: format === 'console' || (format === 'auto' && tty),
  }
}
