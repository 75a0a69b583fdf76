import type { Webhook } from '@pulse/contract'
import { Plus, WebhookIcon } from 'lucide-react'
import { useState } from 'react'
import { Loaded } from '../../../../parts/sections/loaded.tsx'
import { Badge } from '../../../../ui/badge.tsx'
import { Button } from '../../../../ui/button.tsx'
import { ConfirmDialog } from '../../../../ui/confirm-dialog.tsx'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { Panel } from '../../../../ui/panel.tsx'
import type { ChannelCardProps, ChannelKindUi } from '../kind.ts'
import { WebhookDialog } from './dialog.tsx'
import { WebhookTable } from './table.tsx'
import { useDeleteWebhook, useWebhooks } from './use-webhooks.ts'

export const webhookKind: ChannelKindUi = { label: 'Webhook', Card: WebhookCard }

function WebhookCard({ channels }: ChannelCardProps) {
  const query = useWebhooks()
  const [edited, setEdited] = useState<Webhook | 'new'>()
  const [deleted, setDeleted] = useState<Webhook>()
  const add = () => setEdited('new')
  return (
    <Panel
      title="Webhooks"
      description="Send alerts to chat, pagers or any HTTP endpoint. Changes take effect immediately."
      flush
      action={
        <span className="flex flex-wrap items-center gap-3">
          {query.data && <Badge>{query.data.length} configured</Badge>}
          <Button onClick={add}>
            <Plus aria-hidden size={14} />
            Add Webhook
          </Button>
        </span>
      }
    >
      <Loaded
        query={query}
        what="the webhooks"
        isEmpty={(webhooks) => webhooks.length === 0}
        empty={
          <EmptyState icon={<WebhookIcon size={24} />} title="No webhooks yet">
            Add one to send alerts to Discord, Slack, ntfy or your own server.
          </EmptyState>
        }
      >
        {(webhooks) => (
          <WebhookTable webhooks={webhooks} channels={channels} onEdit={setEdited} onDelete={setDeleted} />
        )}
      </Loaded>
      <WebhookDialog of={edited} onClose={() => setEdited(undefined)} />
      <DeleteDialog of={deleted} onClose={() => setDeleted(undefined)} />
    </Panel>
  )
}

interface DeleteDialogProps {
  /** undefined while closed */
  of: Webhook | undefined
  onClose: () => void
}

function DeleteDialog({ of, onClose }: DeleteDialogProps) {
  const deletion = useDeleteWebhook()
  return (
    <ConfirmDialog
      open={of !== undefined}
      onClose={onClose}
      title="Delete webhook?"
      action="Delete Webhook"
      busyAction="Deleting..."
      busy={deletion.isPending}
      onConfirm={() => of && deletion.mutate(of, { onSettled: onClose })}
    >
      <p className="wrap-anywhere">
        Pulse stops sending to <strong className="font-medium text-ink">{of?.name}</strong> and deletes its
        address and secrets.
      </p>
    </ConfirmDialog>
  )
}
