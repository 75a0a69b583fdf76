import { webhookLimits, WebhookMethod, type WebhookTemplate } from '@pulse/contract'
import { Notice } from '../../../../ui/notice.tsx'
import { Select } from '../../../../ui/select.tsx'
import { Switch } from '../../../../ui/switch.tsx'
import { TextField } from '../../../../ui/text-field.tsx'
import type { Problems } from '../part.ts'
import { type WebhookForm, withService } from './form.ts'
import { serviceChoices, serviceNames, type Templates } from './services.ts'

export interface WebhookFieldsProps {
  form: WebhookForm
  template: WebhookTemplate | undefined
  problems: Problems
  edit: (change: Partial<WebhookForm>) => void
}

interface AddressFieldsProps extends WebhookFieldsProps {
  templates: Templates
}

const methods = WebhookMethod.options.map((method) => ({ value: method, label: method }))

/** Name, service and URL. */
export function AddressFields({ form, template, problems, edit, templates }: AddressFieldsProps) {
  return (
    <div className="flex flex-col gap-4">
      <TextField
        label="Name"
        value={form.name}
        onChange={(name) => edit({ name })}
        error={problems['name']}
        placeholder="Operations"
        maxLength={webhookLimits.nameLength}
        autoComplete="off"
      />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Select
          label="Service"
          value={form.service}
          options={serviceChoices}
          onChange={(service) => edit(withService(form, service, templates))}
        />
        <Select
          label="Method"
          value={form.method}
          options={methods}
          onChange={(method) => edit({ method })}
        />
      </div>
      {template?.instructions && (
        <Notice tone="accent" title={serviceNames[form.service]}>
          <p className="whitespace-pre-line">{template.instructions}</p>
        </Notice>
      )}
      <TextField
        label="URL"
        inputMode="url"
        value={form.url}
        onChange={(url) => edit({ url })}
        error={problems['url']}
        placeholder={template?.urlPattern || 'https://example.com/hook'}
        hint={template?.urlPattern.includes('{') ? `Like ${template.urlPattern}` : undefined}
        maxLength={webhookLimits.valueLength}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
      />
      <Switch
        name="Webhook"
        label={form.enabled ? 'Enabled' : 'Disabled'}
        hint="You can test a webhook while it’s disabled."
        checked={form.enabled}
        onChange={(enabled) => edit({ enabled })}
      />
    </div>
  )
}
