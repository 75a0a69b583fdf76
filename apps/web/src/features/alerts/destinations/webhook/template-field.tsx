import { webhookLimits } from '@pulse/contract'
import { useRef } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../../../../ui/button.tsx'
import { TextArea } from '../../../../ui/text-area.tsx'
import { tip } from '../../../../ui/tooltip.tsx'
import type { WebhookFieldsProps } from './address-fields.tsx'
import { serviceNames, templateVariables } from './services.ts'

/** A custom body that replaces the service's default. */
export function TemplateField({ form, template, problems, edit }: WebhookFieldsProps) {
  const area = useRef<HTMLTextAreaElement>(null)
  const insert = (text: string) => {
    const { selectionStart = form.template.length, selectionEnd = selectionStart } = area.current ?? {}
    // flush first: the caret position refers to the new text
    flushSync(() =>
      edit({ template: form.template.slice(0, selectionStart) + text + form.template.slice(selectionEnd) }),
    )
    area.current?.focus()
    area.current?.setSelectionRange(selectionStart + text.length, selectionStart + text.length)
  }
  const service = serviceNames[form.service]
  const usual = template?.payloadTemplate ?? ''
  return (
    <div role="group" aria-label="Payload template" className="border-t border-line pt-4">
      <h3 className="text-table font-semibold">Payload template</h3>
      <p className="mb-3 text-xs text-ink-2">
        Leave blank for the default payload
        {form.service === 'generic' ? '' : ` of ${service}`}.
      </p>
      <TextArea
        code
        ref={area}
        label="Template"
        rows={form.template ? 10 : 4}
        value={form.template}
        onChange={(text) => edit({ template: text })}
        error={problems['template']}
        maxLength={webhookLimits.templateLength}
        placeholder={'{"text": "{{.Level}}: {{.Message}}"}'}
      />
      <div className="mt-2 flex flex-wrap items-center gap-1.5">
        <span className="text-xs text-ink-2">Insert</span>
        {templateVariables.map(({ name, text, meaning }) => (
          <button
            key={name}
            type="button"
            aria-label={`Insert ${name}`}
            onClick={() => insert(text)}
            className="rounded border border-line px-1.5 py-0.5 font-mono text-2xs text-ink-2 hover:bg-hover hover:text-ink"
            {...tip(meaning)}
          >
            {name}
          </button>
        ))}
      </div>
      <div className="mt-3 flex flex-wrap gap-2">
        {usual && (
          <Button disabled={form.template === usual} onClick={() => edit({ template: usual })}>
            Load default template
          </Button>
        )}
        <Button disabled={form.template === ''} onClick={() => edit({ template: '' })}>
          Clear Template
        </Button>
      </div>
    </div>
  )
}
