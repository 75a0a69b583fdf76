import {
  type AppriseConfig,
  type AppriseConfigInput,
  appriseDefaults,
  getAppriseConfig,
  putAppriseConfig,
} from '@pulse/contract'
import { type Destination, mayKeepSecret } from '@pulse/domain'
import { abortable, linesOf, type Part, type Problems } from '../part.ts'

/** As typed: targets are lines of text. */
export interface AppriseForm extends Omit<AppriseConfig, 'targets' | 'apiKey' | 'hasApiKey'> {
  targets: string
  /** blank keeps the stored key */
  apiKey: string
  clearApiKey: boolean
}

export const toForm = ({ hasApiKey: _has, targets, ...config }: AppriseConfig): AppriseForm => ({
  ...config,
  targets: targets.join('\n'),
  clearApiKey: false,
})

/** Splits on line breaks and commas. */
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

/** The server disables an enabled channel that lacks these. */
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

export const apprisePart: Part<AppriseConfig, AppriseForm> = {
  id: getAppriseConfig.path,
  name: 'Apprise',
  load: (api, signal) => api.call(getAppriseConfig, abortable(signal)),
  save: (api, form) => api.call(putAppriseConfig, { body: toInput(form) }),
  toForm,
  problems: appriseProblems,
}

/** Mirrors the server's rule. */
function serverOf({ serverUrl, skipTlsVerify }: AppriseForm | AppriseConfig): Destination {
  const url = URL.parse(serverUrl.trim())
  const isChecked = url?.protocol === 'https:' && !skipTlsVerify
  return { address: url?.origin ?? serverUrl.trim(), proof: isChecked ? 'verified' : undefined }
}

/** The stored key belongs to another server, or was saved with certificate verification on. */
export const isKeyMoved = (form: AppriseForm, stored: AppriseConfig): boolean =>
  stored.hasApiKey && !mayKeepSecret(serverOf(stored), serverOf(form))

/** Stored targets would go to a server they were not saved for. */
export const areTargetsMoved = (form: AppriseForm, stored: AppriseConfig): boolean =>
  form.mode === 'http' &&
  stored.targets.length > 0 &&
  (stored.mode === 'cli' || !mayKeepSecret(serverOf(stored), serverOf(form)))
/** Props of each group of fields. */
export interface AppriseFieldsProps {
  form: AppriseForm
  stored: AppriseConfig
  problems: Problems
  edit: (change: Partial<AppriseForm>) => void
}
