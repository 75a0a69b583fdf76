import { Switch } from '../../../ui/switch.tsx'
import { TextArea } from '../../../ui/text-area.tsx'
import { Fieldset } from './fieldset.tsx'
import type { NodeForm } from './node-form.ts'

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
            ? 'With a fingerprint, only the certificate it belongs to is accepted.'
            : form.verifySSL
              ? 'The certificate must come from an authority this server trusts, or match a fingerprint.'
              : 'Any certificate is accepted, also that of somebody in between. Enter a fingerprint, or trust the one a test shows.'
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
        hint="Optional: for certificates that the server made itself."
        maxLength={128}
      />
    </Fieldset>
  )
}
