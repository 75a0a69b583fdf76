import { emailDefaults, emailLimits, getEmailProviders } from '@pulse/contract'
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../../../api/api.tsx'
import { reasonOf } from '../../../../api/reason.ts'
import { Button } from '../../../../ui/button.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { SegmentedToggle } from '../../../../ui/segmented-toggle.tsx'
import { Select } from '../../../../ui/select.tsx'
import { TextField } from '../../../../ui/text-field.tsx'
import { WholeField } from '../../whole-field.tsx'
import {
  type EmailFieldsProps,
  type Encryption,
  encryptionOf,
  isMoved,
  portHint,
  withEncryption,
  withProvider,
} from './form.ts'
import { FieldGroup } from '../field-group.tsx'
import { SecretField } from '../secret-field.tsx'

const encryptions: readonly { value: Encryption; label: string }[] = [
  { value: 'tls', label: 'TLS' },
  { value: 'starttls', label: 'STARTTLS' },
  { value: 'none', label: 'None' },
]

const encryptionHints: Record<Encryption, string> = {
  tls: 'Encrypted from the start (implicit TLS).',
  starttls: 'Upgrades to TLS after connecting; nothing is sent if the server doesn’t support it.',
  none: 'Messages and credentials are sent unencrypted. Use only on your own network.',
}

const again =
  'Re-enter it: the server, port or encryption changed, and Pulse never sends a saved password to a different destination.'

/** The SMTP server and its login. */
export function EmailServer({ form, stored, problems, edit }: EmailFieldsProps) {
  const encryption = encryptionOf(form)
  const mixedUp = portHint(form, stored)
  return (
    <div className="flex flex-col gap-5">
      <Provider form={form} edit={edit} />
      <FieldGroup title="Server" columns="xl:grid-cols-4">
        <TextField
          label="SMTP server"
          className="xl:col-span-2"
          value={form.server}
          onChange={(server) => edit({ server })}
          error={problems['server']}
          placeholder="smtp.example.com"
          maxLength={emailLimits.serverLength}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
        />
        <WholeField
          label="Port"
          value={form.port}
          bounds={emailLimits.port}
          fallback={emailDefaults.port}
          onChange={(port) => edit({ port })}
          error={problems['port']}
        />
        <div className="flex flex-col gap-1">
          <p aria-hidden className="text-table font-medium">
            Encryption
          </p>
          <div>
            <SegmentedToggle
              label="Encryption"
              value={encryption}
              options={encryptions}
              onChange={(chosen) => edit(withEncryption(chosen))}
            />
          </div>
          <p className="text-xs text-ink-3">{encryptionHints[encryption]}</p>
          {mixedUp !== undefined && <p className="text-xs text-yellow">{mixedUp}</p>}
          {problems['tls'] !== undefined && <p className="text-xs text-red">{problems['tls']}</p>}
        </div>
        <TextField
          label="Username"
          className="xl:col-span-2"
          value={form.username}
          onChange={(username) => edit({ username })}
          error={problems['username']}
          hint="Leave blank if the server needs no login."
          maxLength={emailLimits.addressLength}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
        />
        <div className="xl:col-span-2">
          <SecretField
            label="Password"
            value={form.password}
            isStored={stored.hasPassword}
            again={isMoved(form, stored) ? again : undefined}
            error={problems['password']}
            isCleared={form.clearPassword}
            onChange={(password) => edit({ password })}
            onClear={(clearPassword) => edit({ clearPassword, password: '' })}
          />
        </div>
      </FieldGroup>
    </div>
  )
}

const none = { value: '', label: 'No provider' }

function Provider({ form, edit }: Pick<EmailFieldsProps, 'form' | 'edit'>) {
  const api = useApi()
  const providers = useQuery({
    queryKey: [getEmailProviders.path],
    queryFn: ({ signal }) => api.call(getEmailProviders, { signal }),
    staleTime: Infinity,
  })
  const known = providers.data ?? []
  const chosen = known.find(({ name }) => name === form.provider)
  const options = [none, ...known.map(({ name }) => ({ value: name, label: name }))]
  // keeps a stored provider that this server version does not list
  if (form.provider && !chosen) options.push({ value: form.provider, label: form.provider })
  return (
    <div className="grid items-start gap-4 md:grid-cols-2">
      <Select
        label="Provider"
        value={form.provider}
        options={options}
        onChange={(name) =>
          edit(
            withProvider(
              form,
              known.find((one) => one.name === name),
            ),
          )
        }
      />
      {chosen?.instructions && (
        <Notice tone="accent" title={chosen.name}>
          <p className="whitespace-pre-line">{chosen.instructions}</p>
        </Notice>
      )}
      {providers.error && (
        <Notice
          tone="red"
          title="Failed to load the providers"
          announce
          action={<Button onClick={() => void providers.refetch()}>Retry</Button>}
        >
          {reasonOf(providers.error)}
        </Notice>
      )}
    </div>
  )
}
