import { appriseDefaults, notificationBounds } from '@pulse/contract'
import { WholeField } from '../../whole-field.tsx'
import type { AppriseFieldsProps } from './fields.ts'

export function AppriseTimeout({ form, problems, edit }: Omit<AppriseFieldsProps, 'stored'>) {
  const { min, max } = notificationBounds.appriseTimeout
  return (
    <WholeField
      label="Timeout"
      unit="seconds"
      hint={`${min} to ${max}`}
      value={form.timeoutSeconds}
      bounds={notificationBounds.appriseTimeout}
      fallback={appriseDefaults.timeoutSeconds}
      onChange={(timeoutSeconds) => edit({ timeoutSeconds })}
      error={problems['timeoutSeconds']}
    />
  )
}
