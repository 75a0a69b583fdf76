import type { NodeConfig, SourceKind } from '@pulse/contract'
import type { ReactNode } from 'react'
import { Notice } from '../../../ui/notice.tsx'
import { SegmentedToggle } from '../../../ui/segmented-toggle.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { TextArea } from '../../../ui/text-area.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { kindTexts } from './kinds.ts'
import { isMoved, type NodeForm, type NodeProblems } from './node-form.ts'

interface AuthFieldsProps {
  kind: SourceKind
  form: NodeForm
  problems: NodeProblems
  stored: NodeConfig | undefined
  onChange: (change: Partial<NodeForm>) => void
  /** how to create the account */
  help: ReactNode
}

const token = { value: 'token', label: 'API token' } as const
const password = { value: 'password', label: 'Password' } as const
const kept = '••••••••'
const keptHint = 'Leave blank to keep the saved one.'
const movedHint = 'Required again because the address or certificate setting changed.'

export function AuthFields({ kind, form, problems, stored, onChange, help }: AuthFieldsProps) {
  const { user, tokenId } = kindTexts[kind]
  const moved = stored !== undefined && isMoved(form, stored)
  const stays = moved ? movedHint : keptHint
  const text = { autoComplete: 'off', spellCheck: false, maxLength: 256 } as const
  return (
    <Fieldset title="Authentication">
      <div>
        <SegmentedToggle
          label="Authentication"
          value={form.authType}
          options={kind === 'pmg' ? [password, token] : [token, password]}
          onChange={(authType) => onChange({ authType })}
        />
      </div>
      {kind === 'pmg' && form.authType === 'token' && (
        <Notice tone="yellow" title="Mail gateways have no API tokens">
          No version of Proxmox Mail Gateway accepts one so far: the test fails and nothing is collected. Use
          a user name and a password.
        </Notice>
      )}
      {help}
      {form.authType === 'token' ? (
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <TextField
            {...text}
            label="Token ID"
            value={form.tokenName}
            onChange={(tokenName) => onChange({ tokenName })}
            error={problems.tokenName}
            placeholder={tokenId}
            hint="user@realm!name"
          />
          <TextField
            label="Token value"
            type="password"
            value={form.tokenValue}
            onChange={(tokenValue) => onChange({ tokenValue })}
            error={problems.tokenValue}
            placeholder={stored?.hasToken && !moved ? kept : ''}
            hint={stored?.hasToken ? stays : 'The server shows it only once.'}
            maxLength={1024}
            autoComplete="new-password"
          />
        </div>
      ) : (
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <TextField
            {...text}
            label="Username"
            value={form.user}
            onChange={(name) => onChange({ user: name })}
            error={problems.user}
            placeholder={user}
            hint={`Include the realm; defaults to ${user.replace(/^.*@/, '@')}.`}
          />
          <TextField
            label="Password"
            type="password"
            value={form.password}
            onChange={(secret) => onChange({ password: secret })}
            error={problems.password}
            placeholder={stored?.hasPassword && !moved ? kept : ''}
            hint={stored?.hasPassword ? stays : undefined}
            maxLength={1024}
            autoComplete="new-password"
          />
        </div>
      )}
    </Fieldset>
  )
}

interface CertificateFieldsProps {
  form: NodeForm
  onChange: (change: Partial<NodeForm>) => void
}

export function CertificateFields({ form, onChange }: CertificateFieldsProps) {
  return (
    <Fieldset title="Certificate">
      <Switch
        label="Verify SSL certificate"
        hint={
          form.fingerprint.trim()
            ? 'Only the certificate with this fingerprint is accepted.'
            : form.verifySSL
              ? 'The certificate must come from an authority this server trusts, or match a fingerprint.'
              : 'Any certificate is accepted, including an attacker’s. Enter a fingerprint, or trust the one a test shows.'
        }
        checked={form.verifySSL}
        onChange={(verifySSL) => onChange({ verifySSL })}
      />
      <TextArea
        label="SHA-256 fingerprint"
        value={form.fingerprint}
        onChange={(text) => onChange({ fingerprint: text.replace(/\s+/g, '') })}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          event.currentTarget.form?.requestSubmit()
        }}
        code
        rows={2}
        placeholder="AB:CD:EF:…"
        hint="Optional. Needed for self-signed certificates."
        maxLength={128}
      />
    </Fieldset>
  )
}

interface FieldsetProps {
  title: string
  children: ReactNode
}

/** One group of fields. */
export function Fieldset({ title, children }: FieldsetProps) {
  return (
    <fieldset className="min-w-0 border-t border-line pt-4">
      <legend className="float-left mb-3 w-full text-table font-semibold">{title}</legend>
      <div className="clear-both flex flex-col gap-4">{children}</div>
    </fieldset>
  )
}
