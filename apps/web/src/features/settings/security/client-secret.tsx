import { Checkbox } from '../../../ui/checkbox.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { fieldLabels } from './oidc-fields.ts'
import type { OidcForm } from './oidc-form.ts'

interface ClientSecretProps {
  form: OidcForm
  edit: (change: Partial<OidcForm>) => void
  stored: boolean
  /** the stored secret belongs to another issuer */
  moved: boolean
  problem: string | undefined
  locked: boolean
}

export function ClientSecret({ form, edit, stored, moved, problem, locked }: ClientSecretProps) {
  return (
    <div className="flex flex-col gap-2">
      <TextField
        label={fieldLabels['clientSecret']!}
        type="password"
        value={form.clientSecret}
        onChange={(clientSecret) => edit({ clientSecret })}
        placeholder={stored && !moved ? '••••••••' : ''}
        hint={secretHint(stored, moved)}
        error={problem}
        disabled={locked || form.clearClientSecret}
        autoComplete="new-password"
      />
      {stored && !locked && (
        <Checkbox
          label="Clear stored secret"
          checked={form.clearClientSecret}
          onChange={(clearClientSecret) => edit({ clearClientSecret, clientSecret: '' })}
        />
      )}
      {form.clearClientSecret && (
        <p role="status" className="text-xs text-orange">
          Client secret will be cleared on save
        </p>
      )}
    </div>
  )
}

function secretHint(stored: boolean, moved: boolean): string {
  if (!stored) return 'Leave blank for a public client.'
  return moved
    ? 'Required again for another issuer. Clear the stored one for a public client.'
    : 'A secret is stored. Leave blank to keep it.'
}
