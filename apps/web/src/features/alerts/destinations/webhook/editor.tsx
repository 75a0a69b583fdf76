import { type FormEvent, useState } from 'react'
import { reasonOf } from '../../../../api/reason.ts'
import type { Webhook } from '@pulse/contract'
import { Button } from '../../../../ui/button.tsx'
import { DialogCancel, useDialogBusy } from '../../../../ui/dialog.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { detailsOf, firstOf, type Problems } from '../part.ts'
import { AddressFields } from './address-fields.tsx'
import { formOf, isTestable, newForm, toInput, type WebhookForm, webhookProblems } from './form.ts'
import { PairFields } from './pair-fields.tsx'
import { type Templates, templateOf } from './services.ts'
import { TemplateField } from './template-field.tsx'
import { TestResult, useTestSend } from './test-result.tsx'
import { useAddWebhook, useUpdateWebhook } from './use-webhooks.ts'

interface WebhookEditorProps {
  stored: Webhook | undefined
  templates: Templates
  onClose: () => void
}

export function WebhookEditor({ stored, templates, onClose }: WebhookEditorProps) {
  const [form, setForm] = useState(() => (stored ? formOf(stored, templates) : newForm()))
  const [problems, setProblems] = useState<Problems>({})
  const add = useAddWebhook()
  const update = useUpdateWebhook({ id: stored?.id ?? '' })
  const saving = stored ? update : add
  const test = useTestSend((error) => setProblems(detailsOf(error)))
  useDialogBusy(saving.isPending)

  const template = templateOf(templates, form.service)
  const edit = (change: Partial<WebhookForm>) => {
    setForm((before) => ({ ...before, ...change }))
    setProblems({})
  }
  const checked = (go: () => void) => {
    const found = webhookProblems(form, templates)
    setProblems(found)
    if (firstOf(found) === undefined) go()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    checked(() =>
      saving.mutate(toInput(form, templates), {
        onSuccess: onClose,
        onError: (error) => setProblems(detailsOf(error)),
      }),
    )
  }
  const fields = { form, template, problems, edit }
  const action = stored ? 'Update Webhook' : 'Add Webhook'
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      <AddressFields {...fields} templates={templates} />
      <PairFields
        {...fields}
        list="headers"
        title="Headers"
        description="Added to the headers the service requires. Saved values are hidden."
        addText="Add Header"
      />
      <PairFields
        {...fields}
        list="customFields"
        title="Custom fields"
        description="Extra values for the service or your own template."
        addText="Add Field"
      />
      <TemplateField {...fields} />
      <TestResult test={test} />
      {saving.error && (
        <Notice tone="red" announce title={stored ? 'Failed to update webhook' : 'Failed to add webhook'}>
          {reasonOf(saving.error)}
        </Notice>
      )}
      <div className="sticky -bottom-4 z-10 -mx-4 -mb-4 flex flex-wrap justify-end gap-2 rounded-b-lg border-t border-line bg-raised px-4 py-3">
        {isTestable(form) && (
          <Button
            disabled={test.isPending}
            className="mr-auto"
            onClick={() =>
              checked(() => test.mutate({ ...(stored && { id: stored.id }), ...toInput(form, templates) }))
            }
          >
            {test.isPending ? 'Testing...' : 'Test'}
          </Button>
        )}
        <DialogCancel onClick={onClose} />
        <Button type="submit" variant="primary" disabled={saving.isPending}>
          {saving.isPending ? 'Saving...' : action}
        </Button>
      </div>
    </form>
  )
}
