import type { AppriseConfig } from '@pulse/contract'
import type { AppriseForm } from '../apprise-form.ts'
import type { Problems } from '../part.ts'

/** What a group of its fields needs. */
export interface AppriseFieldsProps {
  form: AppriseForm
  stored: AppriseConfig
  problems: Problems
  edit: (change: Partial<AppriseForm>) => void
}
