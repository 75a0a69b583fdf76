import fs from 'node:fs'
import { isIP } from 'node:net'
import { createSecureContext } from 'node:tls'
import { isLoopbackAddress } from '../auth/networks.ts'
import { StartupError } from '../startup-error.ts'

/** The addresses on which this server listens. */
export interface Listening {
  tls: { cert: Buffer; key: Buffer } | undefined
  /** undefined: every interface */
  listenAddress: string | undefined
  port: number
}

/** Throws StartupError on an invalid value. */
export const readListening = (env: NodeJS.ProcessEnv, withoutSignIn: boolean): Listening => ({
  tls: readTls(env),
  listenAddress: readListenAddress(env['PULSE_LISTEN_ADDRESS'], withoutSignIn),
  port: readPort(env['FRONTEND_PORT'] ? 'FRONTEND_PORT' : 'PORT', env['FRONTEND_PORT'] || env['PORT']),
})

function readPort(name: string, text: string | undefined): number {
  if (!text) return 7655
  const port = Number(text)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new StartupError(`${name} is "${text}", which is not a port.`, 'Use a number from 1 to 65535.')
  }
  return port
}

/** Undefined: every interface. */
function readListenAddress(text: string | undefined, disabled: boolean): string | undefined {
  const address = text?.trim() || undefined
  const isLocal = address === undefined || address === 'localhost' || isLoopbackAddress(address)
  if (disabled && !isLocal) {
    throw new StartupError(
      `PULSE_LISTEN_ADDRESS is "${address}", but with DISABLE_AUTH Pulse must not be reachable from other machines.`,
      'Use 127.0.0.1 or ::1, or leave it unset. To be reachable, remove DISABLE_AUTH and set up sign-in.',
    )
  }
  if (disabled) return address ?? '127.0.0.1'
  if (address === undefined || address === 'localhost' || isIP(address) !== 0) return address
  throw new StartupError(
    `PULSE_LISTEN_ADDRESS is "${address}", which is not an address.`,
    'Use for example 0.0.0.0 or ::.',
  )
}

/** Throws when TLS is requested but impossible; never falls back to plain HTTP. */
function readTls(env: NodeJS.ProcessEnv): Listening['tls'] {
  const [enabled, certFile, keyFile] = ['HTTPS_ENABLED', 'TLS_CERT_FILE', 'TLS_KEY_FILE'].map((name) =>
    env[name]?.trim(),
  )
  const isOn = ['true', '1'].includes(enabled?.toLowerCase() ?? '')
  if (!isOn && !certFile && !keyFile) return undefined
  if (!isOn || !certFile || !keyFile) {
    throw new StartupError(
      'The HTTPS settings are incomplete.',
      'Set HTTPS_ENABLED=true, TLS_CERT_FILE and TLS_KEY_FILE, or none of them.',
    )
  }
  try {
    const tls = { cert: fs.readFileSync(certFile), key: fs.readFileSync(keyFile) }
    createSecureContext(tls)
    return tls
  } catch (cause) {
    throw new StartupError(
      `HTTPS cannot be set up with ${certFile} and ${keyFile}: ${(cause as Error).message}`,
      'Give the certificate and its key as PEM files that the user who runs Pulse may read.',
      { cause },
    )
  }
}
