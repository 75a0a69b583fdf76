import { Secret, withoutTail } from '@pulse/domain'
import { type Networks, networks } from '../auth/networks.ts'
import { isBcrypt } from '../auth/password.ts'
import type { ProxyAuth } from '../auth/proxy.ts'
import type { EnvironmentUser } from '../auth/fixed-users.ts'
import { listOf, originOf } from '../settings/origins.ts'
import { StartupError } from '../startup-error.ts'

/** Access settings from the environment. */
export interface AccessConfig {
  /** DISABLE_AUTH: no sign-in, but only this machine is admitted */
  disabled: boolean
  /** DEMO_MODE: all visitors are admitted, addresses are masked, and changes are refused */
  demo: boolean
  user: EnvironmentUser | undefined
  tokens: Secret[]
  proxy: ProxyAuth | undefined
  trustedProxies: Networks
  trustedNetworks: Networks | undefined
  /** the address of this server for browsers and agents, without a trailing slash */
  publicUrl: string | undefined
  /** its path: empty, or for example `/pulse` */
  basePath: string
  warnings: string[]
}

type Env = NodeJS.ProcessEnv

/** Throws StartupError on incomplete settings; they never mean less protection. */
export function readAccessConfig(env: Env): AccessConfig {
  const disabled = readSwitch(env, 'DISABLE_AUTH')
  const trustedProxies = readTrustedProxies(env)
  const user = readUser(env)
  const warnings: string[] = []
  if (user && !isBcrypt(user.password.reveal()) && user.password.reveal().length < 8) {
    warnings.push('PULSE_AUTH_PASS is shorter than 8 characters. Choose a longer password.')
  }
  if (readSwitch(env, 'ALLOW_UNPROTECTED_EXPORT')) {
    warnings.push(
      'ALLOW_UNPROTECTED_EXPORT has no effect: only an administrator can export, with a passphrase. Remove it.',
    )
  }
  if (disabled)
    warnings.push('Authentication is switched off by DISABLE_AUTH. Pulse admits only this machine.')
  const demo = readSwitch(env, 'DEMO_MODE')
  if (demo) {
    warnings.push(
      'Demo mode: every visitor is signed in as a viewer. Nothing can be changed, and addresses are masked.',
    )
  }
  refuseMockMode(env)
  const tokens = listOf(env['API_TOKENS'] ?? env['API_TOKEN'] ?? '')
  if (tokens.some(isBareHash)) {
    warnings.push(
      'API_TOKENS holds 64 hex digits without a prefix. Pulse reads them as the SHA3-256 hash of a token, as Pulse 4.x ' +
        'writes it: the token of that hash signs in, the digits do not. If the digits are the token, give its hash as sha3:<64 hex digits>.',
    )
  }
  return {
    disabled,
    demo,
    user,
    tokens: tokens.map(readToken),
    proxy: readProxy(env, trustedProxies),
    trustedProxies,
    trustedNetworks: readNetworks(env, 'PULSE_TRUSTED_NETWORKS'),
    ...readPublicUrl(env),
    warnings,
  }
}

/**
 * A simulated and a real estate must not share an installation, because readers could not distinguish them.
 */
function refuseMockMode(env: Env): void {
  if (!readSwitch(env, 'PULSE_MOCK_MODE')) return
  throw new StartupError(
    'PULSE_MOCK_MODE was removed: Pulse no longer generates sample data.',
    'Unset it. `npm run demo` shows simulated servers; DEMO_MODE=true shows real ones read-only, with addresses masked.',
  )
}

export function readSwitch(env: Env, name: string): boolean {
  const text = (env[name] ?? '').trim().toLowerCase()
  if (['', 'false', '0', 'no', 'off'].includes(text)) return false
  if (['true', '1', 'yes', 'on'].includes(text)) return true
  throw new StartupError(`${name} is "${env[name]}".`, 'Use true or false.')
}

function readUser(env: Env): EnvironmentUser | undefined {
  const name = env['PULSE_AUTH_USER']?.trim()
  const password = env['PULSE_AUTH_PASS']
  if (!name && !password) return undefined
  if (!name || !password) {
    throw new StartupError(
      `${name ? 'PULSE_AUTH_USER' : 'PULSE_AUTH_PASS'} is set, but ${name ? 'PULSE_AUTH_PASS' : 'PULSE_AUTH_USER'} is not.`,
      'Set both, or neither and set Pulse up in the browser.',
    )
  }
  return { name, password: new Secret(password) }
}

/** Pulse 4.x stores API_TOKENS as bare SHA3-256 hashes in its .env file. */
const isBareHash = (text: string) => /^[0-9a-f]{64}$/i.test(text)

/** At least 16 characters, because every client that reaches the port can guess. */
function readToken(text: string): Secret {
  if (isBareHash(text)) return new Secret(`sha3:${text.toLowerCase()}`)
  if (/^sha3:/i.test(text) ? /^sha3:[0-9a-f]{64}$/i.test(text) : text.length >= 16) return new Secret(text)
  throw new StartupError(
    'API_TOKENS contains an invalid token.',
    'Give tokens of at least 16 characters, separated by commas, or their SHA3-256 hashes as sha3:<64 hex digits>.',
  )
}

function readProxy(env: Env, trustedProxies: Networks): ProxyAuth | undefined {
  const get = (name: string) => env[`PROXY_AUTH_${name}`]?.trim() || undefined
  const [secret, userHeader, roleHeader, adminRole] = [
    'SECRET',
    'USER_HEADER',
    'ROLE_HEADER',
    'ADMIN_ROLE',
  ].map(get)
  const separator = env['PROXY_AUTH_ROLE_SEPARATOR'] || '|'
  const logoutUrl = get('LOGOUT_URL')
  const others = { userHeader, roleHeader, adminRole, logoutUrl, separator: get('ROLE_SEPARATOR') }
  if (!secret) {
    if (Object.values(others).every((value) => value === undefined)) return undefined
    throw halfProxy('PROXY_AUTH_SECRET is not set, but other PROXY_AUTH_ variables are.')
  }
  if (secret.length < 16) throw halfProxy('PROXY_AUTH_SECRET is shorter than 16 characters.')
  if (!userHeader) throw halfProxy('PROXY_AUTH_SECRET is set, but PROXY_AUTH_USER_HEADER is not.')
  if (adminRole && !roleHeader)
    throw halfProxy('PROXY_AUTH_ADMIN_ROLE is set, but PROXY_AUTH_ROLE_HEADER is not.')
  if (others.separator && !roleHeader) {
    throw halfProxy('PROXY_AUTH_ROLE_SEPARATOR is set, but PROXY_AUTH_ROLE_HEADER is not.')
  }
  if (trustedProxies.size === 0) throw halfProxy('PULSE_TRUSTED_PROXIES does not name the proxy.')
  if (roleHeader?.toLowerCase() === userHeader.toLowerCase()) {
    throw halfProxy('PROXY_AUTH_USER_HEADER and PROXY_AUTH_ROLE_HEADER name the same header.')
  }
  for (const header of [userHeader, roleHeader ?? userHeader]) {
    if (!/^[A-Za-z0-9-]+$/.test(header) || /^(x-proxy-secret|authorization|cookie|host)$/i.test(header)) {
      throw halfProxy(`"${header}" cannot be used as a header for the user or the role.`)
    }
  }
  if (logoutUrl !== undefined && !isLogoutUrl(logoutUrl)) {
    throw halfProxy(`PROXY_AUTH_LOGOUT_URL is "${logoutUrl}", which is not an http or https URL.`)
  }
  return {
    secret: new Secret(secret),
    userHeader: userHeader.toLowerCase(),
    role: roleHeader
      ? { header: roleHeader.toLowerCase(), separator, admin: adminRole ?? 'admin' }
      : undefined,
    logoutUrl,
  }
}

const isLogoutUrl = (text: string) =>
  /^\/(?![/\\])/.test(text) || ['http:', 'https:'].includes(URL.parse(text)?.protocol ?? '')

const halfProxy = (problem: string) =>
  new StartupError(
    problem,
    'Proxy authentication needs PROXY_AUTH_SECRET, PROXY_AUTH_USER_HEADER and PULSE_TRUSTED_PROXIES (the addresses of the proxy), and for roles PROXY_AUTH_ROLE_HEADER.',
  )

/** A trusted proxy can claim any client address. Trusting all addresses would disable every limit. */
function readTrustedProxies(env: Env): Networks {
  const trusted = readNetworks(env, 'PULSE_TRUSTED_PROXIES') ?? networks([])
  const strangers = ['11.0.0.1', '44.0.0.1', '133.0.0.1', '201.0.0.1', '2400::1', '2600::1']
  if (strangers.filter((address) => trusted.has(address)).length < 2) return trusted
  throw new StartupError(
    'PULSE_TRUSTED_PROXIES covers the whole internet.',
    'Name the addresses of your proxies, for example 10.0.0.5,192.168.1.0/24.',
  )
}

function readNetworks(env: Env, name: string): Networks | undefined {
  const entries = listOf(env[name] ?? '')
  if (entries.length === 0) return undefined
  try {
    return networks(entries)
  } catch (cause) {
    throw new StartupError(`${name}: ${(cause as Error).message}.`, 'Separate the entries with commas.', {
      cause,
    })
  }
}

/** The path is written into documents and cookies without escaping. */
const plainPath = /^(?:\/[A-Za-z0-9._~-]+)*$/

function readPublicUrl(env: Env): Pick<AccessConfig, 'publicUrl' | 'basePath'> {
  const text = env['PULSE_PUBLIC_URL']?.trim()
  if (!text) return { publicUrl: undefined, basePath: '' }
  const url = URL.parse(text)
  const origin = url && originOf(url.origin)
  const basePath = url ? withoutTail(url.pathname, '/') : ''
  if (origin && plainPath.test(basePath) && url.href.slice(origin.length) === url.pathname) {
    return { publicUrl: origin + basePath, basePath }
  }
  throw new StartupError(
    `PULSE_PUBLIC_URL is "${text}".`,
    'Use the address under which browsers reach Pulse, for example https://pulse.example.com or https://example.com/pulse.',
  )
}
