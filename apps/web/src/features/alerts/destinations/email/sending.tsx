import { notificationBounds } from '@pulse/contract'
import { WholeField } from '../../whole-field.tsx'
import type { EmailFieldsProps } from './fields.ts'
import { FieldGroup } from '../field-group.tsx'

const { maxRetries, retryDelay, rateLimit } = notificationBounds

/** How often it is tried, and how much at once. */
export function EmailSending({ form, problems, edit }: EmailFieldsProps) {
  return (
    <FieldGroup title="Sending" columns="md:grid-cols-3">
      <WholeField
        label="Retries"
        unit="times"
        hint={`After a failed try, ${maxRetries.min} to ${maxRetries.max}`}
        value={form.maxRetries}
        bounds={maxRetries}
        onChange={(value) => edit({ maxRetries: value })}
        error={problems['maxRetries']}
      />
      <WholeField
        label="Retry delay"
        unit="seconds"
        hint={`Before the first of them, ${retryDelay.min} to ${retryDelay.max}`}
        value={form.retryDelay}
        bounds={retryDelay}
        onChange={(value) => edit({ retryDelay: value })}
        error={problems['retryDelay']}
      />
      <WholeField
        label="Rate limit"
        unit="per minute"
        hint="What goes beyond it is sent later"
        value={form.rateLimit}
        bounds={rateLimit}
        onChange={(value) => edit({ rateLimit: value })}
        error={problems['rateLimit']}
      />
    </FieldGroup>
  )
}
