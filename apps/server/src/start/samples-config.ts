import type { SamplesSettings } from '../samples/settings.ts'
import { StartupError } from '../startup-error.ts'
import { readNamedFile, readNeededFile } from './named-file.ts'

const variable = 'PULSE_SAMPLES_URL'
const form =
  'Use http://HOST:8428 or https://HOST:8428, with a path if the store has one. A password or token belongs into the file that PULSE_SAMPLES_PASSWORD_FILE or PULSE_SAMPLES_TOKEN_FILE names.'
const secrets = ['PULSE_SAMPLES_USER', 'PULSE_SAMPLES_PASSWORD_FILE', 'PULSE_SAMPLES_TOKEN_FILE'] as const

/** Undefined: samples are in history.db. Throws StartupError; no message has the password or token. */
export function readSamplesConfig(env: NodeJS.ProcessEnv): SamplesSettings | undefined {
  const text = env[variable]?.trim()
  if (!text) {
    const lost = [...secrets, 'PULSE_SAMPLES_CA_FILE'].find((name) => env[name]?.trim())
    if (lost === undefined) return undefined
    throw new StartupError(`${lost} is set, but ${variable} is not.`, form)
  }
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol))
    throw new StartupError(`${variable} is not the URL of a store of samples.`, form)
  if (url.username || url.password) throw new StartupError(`${variable} has a user or a password.`, form)
  if (url.search || url.hash) throw new StartupError(`${variable} has a query or a fragment.`, form)
  const ca = readNamedFile(env, 'PULSE_SAMPLES_CA_FILE')
  if (ca !== undefined && url.protocol === 'http:')
    throw new StartupError(
      `PULSE_SAMPLES_CA_FILE is set, but ${variable} begins with http://.`,
      'Use https://, or remove PULSE_SAMPLES_CA_FILE.',
    )
  const authorization = authorizationOf(env)
  let end = url.pathname.length
  while (url.pathname[end - 1] === '/') end--
  return {
    url: url.origin + url.pathname.slice(0, end),
    ...(authorization !== undefined && { authorization }),
    ...(ca !== undefined && { ca }),
  }
}

function authorizationOf(env: NodeJS.ProcessEnv): string | undefined {
  const user = env['PULSE_SAMPLES_USER']?.trim()
  const password = readSecret(env, 'PULSE_SAMPLES_PASSWORD_FILE')
  const token = readSecret(env, 'PULSE_SAMPLES_TOKEN_FILE')
  if (token !== undefined && (user || password !== undefined))
    throw new StartupError(
      'PULSE_SAMPLES_TOKEN_FILE is set besides a user or a password.',
      'Use a token, or a user and a password.',
    )
  if (token !== undefined && !/^[!-~]+$/.test(token))
    throw new StartupError(
      'The file that PULSE_SAMPLES_TOKEN_FILE names has characters that no token has.',
      'Write the token into it, and nothing else.',
    )
  if (token !== undefined) return `Bearer ${token}`
  if (!user && password === undefined) return undefined
  if (!user || password === undefined || user.includes(':'))
    throw new StartupError(
      user?.includes(':')
        ? 'PULSE_SAMPLES_USER has a colon.'
        : `${user ? 'PULSE_SAMPLES_PASSWORD_FILE' : 'PULSE_SAMPLES_USER'} is not set.`,
      'Set PULSE_SAMPLES_USER and PULSE_SAMPLES_PASSWORD_FILE, or neither of them. A user has no colon.',
    )
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}

/** A secret is one line of printable characters: it becomes a part of a header. */
function readSecret(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const text = readNeededFile(env, name)?.replace(/\r?\n$/, '')
  if (text === undefined || !/[\p{Cc}]/u.test(text)) return text
  throw new StartupError(
    `The file that ${name} names has several lines, or characters that are not printable.`,
    'Write the password or token into it, and nothing else.',
  )
}
