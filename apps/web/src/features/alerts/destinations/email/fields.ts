import type { EmailConfig } from '@pulse/contract'
import type { EmailForm } from '../email-form.ts'
import type { Problems } from '../part.ts'

/** What a group of its fields needs. */
export interface EmailFieldsProps {
  form: EmailForm
  stored: EmailConfig
  problems: Problems
  edit: (change: Partial<EmailForm>) => void
}
