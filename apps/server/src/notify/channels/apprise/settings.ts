import {
  type AppriseConfig,
  AppriseConfigInput,
  appriseDefaults,
  appriseLimits,
  secretMask,
} from '@pulse/contract'
import { type Destination, mayKeepSecret, Secret } from '@pulse/domain'
import { isMasked } from '../masks.ts'
import { invalid, secretsRequired } from '../refusals.ts'

const { apiKey: _none, hasApiKey: _no, ...fields } = appriseDefaults
/** Settings in force, with the API key. */
export type AppriseSettings = Omit<AppriseConfig, 'apiKey' | 'hasApiKey'> & { apiKey: Secret }

export const noApprise: AppriseSettings = { ...fields, apiKey: new Secret('') }

/** Everything after the scheme is secret. The last characters distinguish several targets of one scheme. */
export function maskedTarget(target: string): string {
  const [, scheme = '', rest = ''] = /^([a-z0-9+.-]{1,40}:\/\/)?(.*)$/is.exec(target) ?? []
  return scheme + secretMask + (rest.length >= 24 ? rest.slice(-4) : '')
}

export const shownApprise = ({ apiKey, targets, ...rest }: AppriseSettings): AppriseConfig => ({
  ...rest,
  targets: targets.map(maskedTarget),
  apiKey: '',
  hasApiKey: apiKey.reveal() !== '',
})

/** Includes the path: one host may serve several users. */
function serverOf({ serverUrl, skipTlsVerify }: AppriseSettings): Destination {
  const url = URL.parse(serverUrl)
  const isChecked = url?.protocol === 'https:' && !skipTlsVerify
  return {
    address: url?.href.replace(/\/$/, '') ?? serverUrl,
    proof: isChecked ? 'a verified certificate' : undefined,
  }
}

const targetsGoTo = (settings: AppriseSettings): Destination =>
  settings.mode === 'cli' ? { address: 'the program on this machine' } : serverOf(settings)

/** An absent field keeps its value. Throws `secret_required` when a stored secret would go to another destination. */
export function changedApprise(old: AppriseSettings, input: AppriseConfigInput): AppriseSettings {
  const { apiKey = '', clearApiKey = false, hasApiKey: _, targets, ...changes } = input
  const present = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  const isGiven = apiKey !== '' && apiKey !== secretMask
  const keptKey = clearApiKey ? new Secret('') : old.apiKey
  const merged = mergedTargets(old.targets, targets)
  const next = normal({
    ...old,
    ...present,
    targets: merged.targets,
    apiKey: isGiven ? new Secret(apiKey) : keptKey,
  })
  const url = URL.parse(next.serverUrl)
  if (next.serverUrl !== '' && (!url || !/^https?:$/.test(url.protocol) || url.username || url.password))
    throw invalid('serverUrl', 'Use an address such as http://apprise.lan:8000, without a user name.')

  if (merged.isUnknown) throw secretsRequired(['targets'], { address: '' }, { address: '' })
  const [from, to] = [serverOf(old), serverOf(next)]
  if (!isGiven && keptKey.reveal() !== '' && !mayKeepSecret(from, to))
    throw secretsRequired(
      ['apiKey', ...(merged.hasKept && next.mode === 'http' ? ['targets'] : [])],
      from,
      to,
    )
  const [before, after] = [targetsGoTo(old), targetsGoTo(next)]
  const isSent = next.mode === 'http' && merged.hasKept
  if (isSent && !mayKeepSecret(before, after)) throw secretsRequired(['targets'], before, after)
  return next
}

/** A masked target keeps the stored one; equal masks are matched in order. */
function mergedTargets(stored: readonly string[], given: readonly string[] | undefined) {
  if (!given) return { targets: [...stored], hasKept: stored.length > 0, isUnknown: false }
  const left = [...stored]
  let [hasKept, isUnknown] = [false, false]
  const targets = given.map((target) => {
    if (!isMasked(target)) return target
    const index = left.findIndex((one) => maskedTarget(one) === target.trim())
    if (index < 0) isUnknown = true
    else hasKept = true
    return index < 0 ? target : left.splice(index, 1)[0]!
  })
  return { targets, hasKept, isUnknown }
}

function normal(settings: AppriseSettings): AppriseSettings {
  const seen = new Map<string, string>()
  for (const target of settings.targets.map((one) => one.trim()))
    if (target !== '' && !seen.has(target.toLowerCase())) seen.set(target.toLowerCase(), target)
  const targets = [...seen.values()]
  const { min, max } = appriseLimits.timeoutSeconds
  const seconds = Math.round(settings.timeoutSeconds) || appriseDefaults.timeoutSeconds
  const { mode, serverUrl, configKey } = settings
  const canSend =
    mode === 'cli' ? targets.length > 0 : serverUrl !== '' && (targets.length > 0 || configKey !== '')
  return {
    ...settings,
    targets,
    cliPath: settings.cliPath || appriseDefaults.cliPath,
    apiKeyHeader: settings.apiKeyHeader || appriseDefaults.apiKeyHeader,
    timeoutSeconds: Math.min(max, Math.max(min, seconds)),
    enabled: settings.enabled && canSend,
  }
}

export const storedApprise = ({ apiKey, ...rest }: AppriseSettings) => ({ ...rest, apiKey: apiKey.reveal() })

/** Throws on invalid settings. */
export function appriseFrom(stored: unknown): AppriseSettings {
  const { apiKey = '', clearApiKey: _, hasApiKey: __, ...rest } = AppriseConfigInput.parse(stored)
  const present = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
  return normal({ ...noApprise, ...present, apiKey: new Secret(apiKey) })
}
