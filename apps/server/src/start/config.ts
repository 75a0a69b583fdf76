import { type LogLevel, systemDefaults } from '@pulse/contract'
import path from 'node:path'
import * as z from 'zod/mini'
import { accountKey } from '../auth/account-key.ts'
import { type OidcEnvironment, readOidcEnvironment, withDeclaredOidc } from '../oidc/environment.ts'
import type { LogFileSettings } from '../log-file.ts'
import type { Declared } from './declared/check.ts'
import {
  type FixedSettings,
  mergeFixed,
  nothingFixed,
  readSettingsEnvironment,
} from '../settings/environment.ts'
import { type FixedSwitches, fixedSwitches, readTemperatureNodes } from '../temperature/fixed.ts'
import { type InitialImport, readInitialImport } from './initial-import.ts'
import { type AccessConfig, readAccessConfig, readSwitch } from './access-config.ts'
import { declaredFile, declaredWarnings, readDeclared } from './declared/read.ts'
import { type Environment, readEnvironment, readWatched } from './environment.ts'
import { refuseLegacyFolder } from './legacy-folder.ts'
import { type Listening, readListening } from './listening.ts'
import type { ClusterConfig } from '../cluster/cluster.ts'
import type { PostgresSettings } from '../db/postgres-settings.ts'
import { readClusterConfig } from './cluster-config.ts'
import { readPostgresConfig } from './postgres-config.ts'
import { readSamplesConfig } from './samples-config.ts'
import type { SamplesSettings } from '../samples/settings.ts'
import { StartupError } from '../startup-error.ts'
import { validationText } from '../validation-text.ts'

export interface Config extends Listening {
  dataDir: string
  environment: Environment
  access: AccessConfig
  oidc: OidcEnvironment
  settings: FixedSettings
  temperatures: FixedSwitches
  /** the content of pulse.yaml; undefined without such a file */
  declared: Declared | undefined
  initialImport: InitialImport | undefined
  /** no node is asked about its ZFS pools */
  withoutZfs: boolean
  /** /metrics includes all monitored resources */
  metricsOfEstate: boolean
  encryptionKeyFile: string | undefined
  /** absent: what is set up is in the data folder */
  postgres: PostgresSettings | undefined
  /** absent: samples are in history.db */
  samples: SamplesSettings | undefined
  /** absent: this process does everything alone */
  cluster: ClusterConfig | undefined
  /** the level until the settings have been loaded */
  logLevel: LogLevel
  /** readable lines instead of JSON */
  logPretty: boolean
  logFile: LogFileSettings | undefined
  updates: UpdateConfig
  /** the built browser program */
  webDir: string | undefined
  /** the agents of container hosts that this server provides, if any */
  agentDir: string | undefined
}

/** Throws StartupError on an invalid value: a typing error must not become a default. */
export function readConfig(
  processEnv: NodeJS.ProcessEnv,
  defaults: { dataDir: string; tty: boolean },
): Config {
  // zod/mini has no error texts of its own.
  z.config({ localeError: validationText })
  const dataDir = path.resolve(processEnv['PULSE_DATA_DIR'] || defaults.dataDir)
  refuseLegacyFolder(dataDir)
  const environment = readEnvironment(processEnv, dataDir)
  const env = environment.variables
  const logFormat = env['LOG_FORMAT'] || 'auto'
  if (!['auto', 'json', 'console'].includes(logFormat)) {
    throw new StartupError(`LOG_FORMAT is "${logFormat}".`, 'Use auto, json or console.')
  }
  const access = readAccessConfig(env)
  const declared = readDeclared(env, dataDir)
  refuseTwoOwners(access, declared)
  if (declared) access.warnings.push(...declaredWarnings(declared))
  const file = readWatched(declaredFile(env, dataDir))
  const settings = mergeFixed(declared?.settings ?? nothingFixed, readSettingsEnvironment(env))
  return {
    dataDir,
    environment: { ...environment, isChanged: () => environment.isChanged() || file.isChanged() },
    access,
    oidc: withDeclaredOidc(readOidcEnvironment(env), declared?.oidc ?? {}),
    declared,
    initialImport: readInitialImport(env),
    settings,
    temperatures: fixedSwitches(declared?.temperatures ?? [], readTemperatureNodes(env)),
    withoutZfs: readSwitch(env, 'PULSE_DISABLE_ZFS_MONITORING'),
    metricsOfEstate: readSwitch(env, 'PULSE_METRICS_ESTATE'),
    ...readListening(env, access.disabled),
    encryptionKeyFile: env['PULSE_ENCRYPTION_KEY_FILE']
      ? path.resolve(env['PULSE_ENCRYPTION_KEY_FILE'])
      : undefined,
    postgres: readPostgresConfig(env),
    samples: readSamplesConfig(env),
    cluster: readClusterConfig(env),
    logLevel: settings.values.logLevel ?? systemDefaults.logLevel,
    logPretty: logFormat === 'console' || (logFormat === 'auto' && defaults.tty),
    logFile: readLogFile(env),
    updates: readUpdateConfig(env),
    webDir: env['PULSE_FRONTEND_DIR'] ? path.resolve(env['PULSE_FRONTEND_DIR']) : undefined,
    agentDir: env['PULSE_AGENT_DIR'] ? path.resolve(env['PULSE_AGENT_DIR']) : undefined,
  }
}

function refuseTwoOwners({ user }: AccessConfig, declared: Declared | undefined) {
  const i = declared?.users.findIndex(({ name }) => user && accountKey(name) === accountKey(user.name)) ?? -1
  if (i < 0) return
  throw new StartupError(
    `${declared!.file}: users[${i}].name: This account is fixed by PULSE_AUTH_USER.`,
    'Define it in only one of the two places.',
  )
}

interface UpdateConfig {
  /** list of releases in the form of GitHub's API; undefined: no server is asked */
  feed: string | undefined
  /** the running slot of an installed release */
  releaseDir: string | undefined
}

function readUpdateConfig(env: NodeJS.ProcessEnv): UpdateConfig {
  const feed = env['PULSE_UPDATE_SERVER']?.trim() || undefined
  const url = feed === undefined ? undefined : URL.parse(feed)
  if (url === null || (url && (!/^https?:$/.test(url.protocol) || url.username || url.password))) {
    throw new StartupError(
      'PULSE_UPDATE_SERVER is not the URL of a release feed.',
      'Give a URL such as https://api.github.com/repos/OWNER/NAME/releases, without a user name or password.',
    )
  }
  const releaseDir = env['PULSE_RELEASE_DIR']
  return { feed: url?.href, releaseDir: releaseDir ? path.resolve(releaseDir) : undefined }
}

/** The log file in addition to standard output; undefined without LOG_FILE. */
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
