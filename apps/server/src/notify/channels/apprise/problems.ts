import { isIP } from 'node:net'
import type { Outbound } from '../../../outbound/guard.ts'
import type { Problems } from '../../channel.ts'
import type { AppriseSettings } from './settings.ts'

/** Problems of the settings, by field. */
export function appriseProblems(
  settings: AppriseSettings,
  outbound: Outbound,
  program: string | undefined,
): Problems {
  const { enabled, mode, targets, serverUrl, configKey } = settings
  const problems: Problems = {}
  for (const target of targets) {
    const problem = targetProblem(target, outbound)
    if (problem) problems['targets'] ??= problem
  }
  if (mode === 'http') {
    if (enabled && serverUrl === '') problems['serverUrl'] = 'Enter the address of the Apprise server.'
    const problem = serverUrl === '' ? undefined : outbound.urlProblem(serverUrl)
    if (problem) problems['serverUrl'] = `The Apprise server cannot be called: ${problem}.`
    if (!/^[\w-]{0,128}$/.test(configKey))
      problems['configKey'] = 'A key can contain only letters, digits, - and _.'
    if (enabled && configKey === '' && targets.length === 0) {
      problems['targets'] ??= 'Enter targets, or the key of a configuration stored on the server.'
    }
    return problems
  }
  if (enabled && targets.length === 0)
    problems['targets'] = 'Enter at least one target, such as discord://id/token.'
  if (enabled && program === undefined) {
    problems['mode'] =
      'Apprise was not found on this machine. Install it (Debian: apt-get install apprise), or set PULSE_APPRISE_PATH to its program.'
  }
  return problems
}

/** the scheme, and the rest of the target */
const parts = /^([a-z][a-z0-9+.-]{0,31}):\/\/(.*)$/i

/**
 * The program could read other texts as options or files. A problem never quotes the target, which holds
 * tokens.
 */
function targetProblem(target: string, outbound: Outbound): string | undefined {
  if (target.startsWith('-')) return 'A target begins with a scheme such as discord://, not with a dash.'
  if (/[\p{Cc}\s]/u.test(target)) return 'A target must not contain spaces; enter one target per line.'
  const [, scheme = '', rest = ''] = parts.exec(target) ?? []
  if (scheme === '') return 'A target begins with a scheme such as discord://.'
  const parameter = refusedParameter(scheme, rest)
  if (parameter !== undefined)
    return `A target of ${scheme}:// cannot have the parameter ${parameter}: only parameters that format the message are allowed.`
  const host = hostOf(scheme, rest)
  // A name is resolved when the message is sent. In most targets this part is a token, not a host.
  if (host === undefined || (isIP(host) === 0 && !/^(?:[^.]+\.)*localhost\.?$/i.test(host))) return undefined
  const problem = outbound.serverProblem(host, portOf(rest))
  return problem && `A target of ${scheme}:// cannot be called: ${problem}.`
}

const portOf = (rest: string): number => Number(/:(\d{1,5})(?:[/?#]|$)/.exec(rest)?.[1] ?? 0)

/** Why the guard refuses a host, for targets that the program calls. */
export async function nameProblem(
  targets: readonly string[],
  outbound: Outbound,
): Promise<string | undefined> {
  for (const target of targets) {
    const [, scheme = '', rest = ''] = parts.exec(target) ?? []
    const host = hostOf(scheme, rest)
    if (!host || isIP(host) !== 0) continue
    const problem = await outbound.nameProblem(host, portOf(rest))
    if (problem) return `A target of ${scheme}:// cannot be called: ${problem}.`
  }
  return undefined
}

/**
 * Parameters for the appearance and the recipients of a message. Other parameters name files, programs or
 * further servers, which the guard cannot check.
 */
const shaping = new Set([
  'cc',
  'bcc',
  'channel',
  'color',
  'cto',
  'emojis',
  'footer',
  'footer_logo',
  'format',
  'from',
  'image',
  'level',
  'mode',
  'name',
  'overflow',
  'priority',
  'reply',
  'rto',
  'silent',
  'sound',
  'tags',
  'thread',
  'to',
  'topic',
  'tts',
  'verify',
])
/**
 * In these schemes, a name after + is a header, after - a query parameter, and after : a field of the body.
 */
const withFields = /^(?:json|xml|form|apprise)s?$/i

function refusedParameter(scheme: string, rest: string): string | undefined {
  const query = /\?([^#]*)/.exec(rest)?.[1] ?? ''
  for (const name of new URLSearchParams(query.replaceAll('+', '%2B')).keys()) {
    const isField = withFields.test(scheme) && /^[+:-]/.test(name)
    if (name !== '' && !isField && !shaping.has(name.toLowerCase())) return name.slice(0, 40)
  }
  return undefined
}

/** These schemes are always followed by a host. After other schemes, a number may only look like a host. */
const ofHosts =
  /^(?:json|xml|form|apprise|ntfy|gotify|mailto|matrix|mmost|rocket|nctalk|ncloud|kodi|xbmc|hassio|signal|emby|synology)s?$/i

/** The host of a target as a URL spells it; undefined when there is none. */
function hostOf(scheme: string, rest: string): string | undefined {
  const authority = rest.split(/[/?#]/, 1)[0]!
  const host = authority.slice(authority.lastIndexOf('@') + 1)
  if (!ofHosts.test(scheme) && /^[^.[]*$/.test(host) && !/^localhost(?::|$)/i.test(host)) return undefined
  return URL.parse(`http://${host}`)?.hostname.replace(/^\[|\]$/g, '')
}
