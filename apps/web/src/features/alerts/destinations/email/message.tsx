import { emailLimits } from '@pulse/contract'
import { TextArea } from '../../../../ui/text-area.tsx'
import { TextField } from '../../../../ui/text-field.tsx'
import type { EmailFieldsProps } from './form.ts'
import { FieldGroup } from '../field-group.tsx'

const address = {
  type: 'email',
  maxLength: emailLimits.addressLength,
  autoComplete: 'off',
  autoCapitalize: 'off',
  spellCheck: false,
} as const

/** Sender and recipients. */
export function EmailMessage({ form, problems, edit }: EmailFieldsProps) {
  return (
    <FieldGroup title="Message">
      <div className="flex flex-col gap-4">
        <TextField
          {...address}
          label="From address"
          value={form.from}
          onChange={(from) => edit({ from })}
          error={problems['from']}
          placeholder="pulse@example.com"
        />
        <TextField
          {...address}
          label="Reply-to address"
          value={form.replyTo}
          onChange={(replyTo) => edit({ replyTo })}
          error={problems['replyTo']}
          hint="Leave blank to use the from address."
        />
      </div>
      <TextArea
        label="Recipients"
        rows={5}
        value={form.to}
        onChange={(to) => edit({ to })}
        error={problems['to']}
        placeholder={'admin@example.com\non-call@example.com'}
        hint="One per line. If empty, mail goes to the from address."
      />
    </FieldGroup>
  )
}
