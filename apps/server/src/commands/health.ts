import http from 'node:http'
import https from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'
import type { Health, VersionInfo } from '@pulse/contract'
import { readEnvironment } from '../start/environment.ts'
import { type Listening, readListening } from '../start/listening.ts'
import { StartupError } from '../startup-error.ts'

const usage = 'Usage: health [--wait SECONDS] [--expect VERSION]'
const ANSWER_LIMIT_MS = 5_000
const ANSWER_LIMIT_BYTES = 100_000
const PAUSE_MS = 500

/**
 * Checks the local Pulse over loopback, for a supervisor; resolves to a line about the result. `--wait`
 * retries for that many seconds, and `--expect` requires that version. Throws when the check fails.
 */
export async function askHealth(args: readonly string[], processEnv: NodeJS.ProcessEnv): Promise<string> {
  const { waitMs, expected } = readArguments(args)
  const env = readEnvironment(processEnv, processEnv['PULSE_DATA_DIR'] || 'data').variables
  const listening = readListening(env, false)
  const deadline = performance.now() + waitMs
  for (;;) {
    try {
      return await askOnce(listening, expected)
    } catch (error) {
      if (performance.now() >= deadline) throw error
      await pause(PAUSE_MS)
    }
  }
}

async function askOnce(listening: Listening, expected: string | undefined): Promise<string> {
  const { status } = (await ask(listening, '/api/health')) as Health
  if (status !== 'healthy' && status !== 'degraded')
    throw new StartupError('The server that answers is not Pulse.', usage)
  if (expected === undefined) return status
  const { version } = (await ask(listening, '/api/version')) as VersionInfo
  if (version === expected) return `${status} ${version}`
  throw new StartupError(`Pulse ${version} answers, not ${expected}.`, 'See the log of the service.')
}

function readArguments(args: readonly string[]) {
  let waitMs = 0
  let expected: string | undefined
  for (let n = 0; n < args.length; n += 2) {
    const [name, value] = [args[n], args[n + 1]]
    if (name === '--expect' && value) expected = value.replace(/^v/, '')
    else if (name === '--wait' && /^\d{1,4}$/.test(value ?? '')) waitMs = Number(value) * 1_000
    else throw new StartupError(`"${name}" is not a valid argument.`, usage)
  }
  return { waitMs, expected }
}

/** Accepts only this server's certificate, whichever names it has. */
const ownCertificate = ({ cert }: { cert: Buffer }) => ({
  ca: cert,
  allowPartialTrustChain: true,
  checkServerIdentity: () => undefined,
})

function ask({ tls, listenAddress, port }: Listening, path: string): Promise<unknown> {
  const host = hereFor(listenAddress)
  const options = { host, port, path, signal: AbortSignal.timeout(ANSWER_LIMIT_MS), agent: false as const }
  return new Promise((resolve, reject) => {
    const fail = (why: string) => {
      request.destroy()
      reject(
        new StartupError(
          `Pulse does not answer at ${host} port ${port}: ${why}.`,
          'See the log of the service.',
        ),
      )
    }
    const request = tls ? https.get({ ...options, ...ownCertificate(tls) }) : http.get(options)
    request.on('error', (error) => fail(error.message))
    request.on('response', (response) => {
      if (response.statusCode !== 200) return fail(`it answered with ${response.statusCode}`)
      let text = ''
      response.setEncoding('utf8').on('error', (error) => fail(error.message))
      response.on('data', (part: string) => {
        text += part
        if (text.length > ANSWER_LIMIT_BYTES) fail('its answer is too long')
      })
      response.on('end', () => {
        try {
          resolve(JSON.parse(text))
        } catch {
          fail('its answer is not JSON')
        }
      })
    })
  })
}

/** An address to connect to: wildcard addresses become loopback. */
function hereFor(address: string | undefined): string {
  if (address === undefined || address === '0.0.0.0') return '127.0.0.1'
  return address === '::' ? '::1' : address
}
