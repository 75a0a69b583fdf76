import path from 'node:path'
import { isLoopbackAddress } from '../auth/loopback.ts'
import { StartupError } from './startup-error.ts'

export interface Config {
  dataDir: string
  listenAddress: string
  port: number
  encryptionKeyFile: string | undefined
  logLevel: string
  /** lines for a person instead of JSON */
  logPretty: boolean
  /** the built browser program */
  webDir: string | undefined
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

/**
 * Variables that carry or switch on credentials. Sign-in is not part of this version,
 * so a server that silently ignored them would be open where its owner believes it closed.
 */
const credentialVariables = [
  'PULSE_AUTH_USER',
  'PULSE_AUTH_PASS',
  'API_TOKEN',
  'API_TOKENS',
  'API_TOKEN_ENABLED',
  'REQUIRE_AUTH',
  'PROXY_AUTH_SECRET',
  'PROXY_AUTH_USER_HEADER',
  'OIDC_ENABLED',
  'OIDC_ISSUER_URL',
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
]

/** Throws StartupError on a value that cannot be right: a typing error must not become a default. */
export function readConfig(env: NodeJS.ProcessEnv, defaults: { dataDir: string; tty: boolean }): Config {
  const set = credentialVariables.filter((name) => env[name])
  if (set.length > 0) {
    throw new StartupError(
      `${set.join(', ')} is set, but this version has no sign-in yet and would not honour it.`,
      'Unset it. Until sign-in exists Pulse listens on this machine only (127.0.0.1).',
    )
  }
  const logLevel = env['LOG_LEVEL'] || 'info'
  if (!logLevels.includes(logLevel)) {
    throw new StartupError(
      `LOG_LEVEL is "${logLevel}", which is not a log level.`,
      `Use one of ${logLevels.join(', ')}.`,
    )
  }
  const logFormat = env['LOG_FORMAT'] || 'auto'
  if (!['auto', 'json', 'console'].includes(logFormat)) {
    throw new StartupError(`LOG_FORMAT is "${logFormat}".`, 'Use auto, json or console.')
  }
  return {
    dataDir: path.resolve(env['PULSE_DATA_DIR'] || defaults.dataDir),
    listenAddress: readListenAddress(env['PULSE_LISTEN_ADDRESS'] || '127.0.0.1'),
    port: readPort(env['FRONTEND_PORT'] ? 'FRONTEND_PORT' : 'PORT', env['FRONTEND_PORT'] || env['PORT']),
    encryptionKeyFile: env['PULSE_ENCRYPTION_KEY_FILE']
      ? path.resolve(env['PULSE_ENCRYPTION_KEY_FILE'])
      : undefined,
    logLevel,
    logPretty: logFormat === 'console' || (logFormat === 'auto' && defaults.tty),
    webDir: env['PULSE_FRONTEND_DIR'] ? path.resolve(env['PULSE_FRONTEND_DIR']) : undefined,
  }
}

function readPort(name: string, text: string | undefined): number {
  if (!text) return 7655
  const port = Number(text)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new StartupError(`${name} is "${text}", which is not a port.`, 'Use a number from 1 to 65535.')
  }
  return port
}

function readListenAddress(address: string): string {
  if (address === 'localhost' || isLoopbackAddress(address)) return address
  throw new StartupError(
    `PULSE_LISTEN_ADDRESS is "${address}", but without sign-in Pulse must not be reachable from other machines.`,
    'Use 127.0.0.1 or ::1, or leave it unset.',
  )
}
