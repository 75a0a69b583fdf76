import type { Webhook } from '@pulse/contract'
import { reasonOf } from '../../../../api/reason.ts'
import { Dialog } from '../../../../ui/dialog.tsx'
import { LoadFailed, LoadingRows } from '../../../../ui/panel.tsx'
import { WebhookEditor } from './editor.tsx'
import { useTemplates } from './use-webhooks.ts'

interface WebhookDialogProps {
  /** undefined while closed */
  of: Webhook | 'new' | undefined
  onClose: () => void
}

export function WebhookDialog({ of, onClose }: WebhookDialogProps) {
  const stored = of === 'new' ? undefined : of
  return (
    <Dialog
      wide
      open={of !== undefined}
      onClose={onClose}
      title={of === 'new' ? 'Add webhook' : 'Edit webhook'}
      description={stored && <span className="line-clamp-2 wrap-anywhere">{stored.name}</span>}
    >
      <UntilTemplates stored={stored} onClose={onClose} />
    </Dialog>
  )
}

export interface EditorProps {
  stored: Webhook | undefined
  onClose: () => void
}

/** The form needs the templates: they list each service's fields. */
function UntilTemplates(props: EditorProps) {
  const templates = useTemplates()
  if (templates.data) return <WebhookEditor {...props} templates={templates.data} />
  if (!templates.error) return <LoadingRows label="Loading the services" count={5} />
  return (
    <LoadFailed
      title="Failed to load the services"
      reason={reasonOf(templates.error)}
      onRetry={() => void templates.refetch()}
    />
  )
}
