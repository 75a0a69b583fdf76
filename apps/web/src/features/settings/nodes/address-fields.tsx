import { siteBytes, type SourceKind } from '@pulse/contract'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { kindTexts } from './kinds.ts'
import type { NodeForm } from './node-form.ts'

interface FieldProps {
  form: NodeForm
  onChange: (change: Partial<NodeForm>) => void
}

interface AddressFieldProps extends FieldProps {
  kind: SourceKind
  problem: string | undefined
}

export function AddressField({ kind, form, problem, onChange }: AddressFieldProps) {
  const { hostExample } = kindTexts[kind]
  return (
    <TextField
      label="Host URL"
      value={form.host}
      onChange={(host) => onChange({ host })}
      error={problem}
      placeholder={hostExample}
      hint={`Default port: ${new URL(hostExample).port}.`}
      maxLength={512}
      autoComplete="off"
      spellCheck={false}
      inputMode="url"
    />
  )
}

export function NameField({ form, onChange }: FieldProps) {
  return (
    <TextField
      label="Name"
      value={form.name}
      onChange={(name) => onChange({ name })}
      hint="Optional. Testing the connection fills it in."
      maxLength={128}
      autoComplete="off"
      spellCheck={false}
    />
  )
}

/** Shown only where there are several sites. */
export function SiteField({ form, problem, onChange }: FieldProps & { problem: string | undefined }) {
  return (
    <TextField
      label="Site"
      value={form.site ?? ''}
      onChange={(site) => onChange({ site })}
      error={problem}
      hint="The PULSE_SITE of the collectors that monitor it. Leave blank for the main site."
      maxLength={siteBytes}
      autoComplete="off"
      spellCheck={false}
    />
  )
}

/** The address chosen in the first step, with a button back to it. */
export function ChosenAddress({ host, onEdit }: { host: string; onEdit: () => void }) {
  return (
    <div className="flex items-center gap-3 rounded-md bg-sunken py-2 pr-2 pl-3 text-table">
      <span className="text-ink-2">Host URL</span>
      <span className="min-w-0 flex-1 font-medium break-all">{host.trim()}</span>
      <Button variant="ghost" aria-label="Change the host URL" onClick={onEdit}>
        Change
      </Button>
    </div>
  )
}
