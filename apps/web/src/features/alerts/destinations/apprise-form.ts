import { type AppriseConfig, type AppriseConfigInput, appriseDefaults } from '@pulse/contract'
import { mayKeepSecret } from '@pulse/domain'
import { linesOf, type Problems } from './part.ts'

/** As typed: the targets are lines. */
export interface AppriseForm extends Omit<AppriseConfig, 'targets' | 'apiKey' | 'hasApiKey'> {
  targets: string
  /** blank: the stored one stays */
  apiKey: string
  clearApiKey: boolean
}

export const toForm = ({ hasApiKey: _has, targets, ...config }: AppriseConfig): AppriseForm => ({
  ...config,
  targets: targets.join('\n'),
  clearApiKey: false,
})

/** Lines and commas divide. */
export const targetsOf = (text: string): string[] => linesOf(text, /[\n,]/)

export function toInput({ targets, apiKey, clearApiKey, ...form }: AppriseForm): AppriseConfigInput {
  return {
    ...form,
    targets: targetsOf(targets),
    cliPath: form.cliPath.trim() || appriseDefaults.cliPath,
    serverUrl: form.serverUrl.trim(),
    configKey: form.configKey.trim(),
    apiKeyHeader: form.apiKeyHeader.trim() || appriseDefaults.apiKeyHeader,
    apiKey: clearApiKey ? '' : apiKey,
    ...(clearApiKey && { clearApiKey }),
  }
}

/** Without these it would be switched off when it is saved. */
export function appriseProblems({ enabled, mode, targets, serverUrl, configKey }: AppriseForm): Problems {
  if (!enabled) return {}
  const hasTargets = targetsOf(targets).length > 0 || (mode === 'http' && configKey.trim() !== '')
  return {
    ...(mode === 'http' && !serverUrl.trim() && { serverUrl: 'Server address is required' }),
    ...(!hasTargets && {
      targets:
        mode === 'http'
          ? 'Enter a delivery target, or the key of a configuration on the server'
          : 'Enter at least one delivery target',
    }),
  }
}

const destination = ({ mode, serverUrl, skipTlsVerify }: AppriseForm | AppriseConfig) => ({
  address: mode === 'cli' ? mode : (URL.parse(serverUrl.trim())?.origin ?? serverUrl.trim()),
  proof: mode === 'http' && skipTlsVerify ? undefined : 'checked',
})

/** What is stored was meant for another server, another way, or a server whose certificate is checked. */
export const isMoved = (form: AppriseForm, stored: AppriseConfig): boolean =>
  !mayKeepSecret(destination(stored), destination(form))
