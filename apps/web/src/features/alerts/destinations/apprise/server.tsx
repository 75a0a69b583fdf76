import { appriseDefaults, appriseLimits } from '@pulse/contract'
import { Checkbox } from '../../../../ui/checkbox.tsx'
import { TextField } from '../../../../ui/text-field.tsx'
import { WholeField } from '../../whole-field.tsx'
import { type AppriseFieldsProps, isKeyMoved } from './form.ts'
import { SecretField } from '../secret-field.tsx'

const again = 'Re-enter it: the server changed, and Pulse never sends a saved key to a different destination.'
const text = { autoComplete: 'off', autoCapitalize: 'off', spellCheck: false } as const

/** The Apprise API server. */
export function AppriseServer({ form, stored, problems, edit }: AppriseFieldsProps) {
  return (
    <div className="flex flex-col gap-4">
      <TextField
        {...text}
        label="Server address"
        inputMode="url"
        value={form.serverUrl}
        onChange={(serverUrl) => edit({ serverUrl })}
        error={problems['serverUrl']}
        placeholder="https://apprise.example.com"
        maxLength={appriseLimits.addressLength}
      />
      <TextField
        {...text}
        label="Configuration key"
        value={form.configKey}
        onChange={(configKey) => edit({ configKey })}
        error={problems['configKey']}
        hint="Key of a configuration stored on the server. Leave blank to send the targets with each message."
        maxLength={appriseLimits.nameLength}
      />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <SecretField
          label="API key"
          value={form.apiKey}
          isStored={stored.hasApiKey}
          again={isKeyMoved(form, stored) ? again : undefined}
          error={problems['apiKey']}
          isCleared={form.clearApiKey}
          onChange={(apiKey) => edit({ apiKey })}
          onClear={(clearApiKey) => edit({ clearApiKey, apiKey: '' })}
        />
        <TextField
          {...text}
          label="API key header"
          value={form.apiKeyHeader}
          onChange={(apiKeyHeader) => edit({ apiKeyHeader })}
          error={problems['apiKeyHeader']}
          placeholder={appriseDefaults.apiKeyHeader}
          maxLength={appriseLimits.headerLength}
        />
      </div>
      <Checkbox
        label="Skip TLS verification"
        hint="Accepts any certificate. Use only on your own network."
        checked={form.skipTlsVerify}
        onChange={(skipTlsVerify) => edit({ skipTlsVerify })}
      />
      <AppriseTimeout form={form} problems={problems} edit={edit} />
    </div>
  )
}

export function AppriseTimeout({ form, problems, edit }: Omit<AppriseFieldsProps, 'stored'>) {
  const { min, max } = appriseLimits.timeoutSeconds
  return (
    <WholeField
      label="Timeout"
      unit="seconds"
      hint={`${min} to ${max}`}
      value={form.timeoutSeconds}
      bounds={appriseLimits.timeoutSeconds}
      fallback={appriseDefaults.timeoutSeconds}
      onChange={(timeoutSeconds) => edit({ timeoutSeconds })}
      error={problems['timeoutSeconds']}
    />
  )
}
