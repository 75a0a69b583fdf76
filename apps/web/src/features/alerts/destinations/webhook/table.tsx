import { MessageText } from '../../../../ui/message-text.tsx'
import type { ChannelStatus, Webhook } from '@pulse/contract'
import { Pencil, Trash2 } from 'lucide-react'
import { formatMoment } from '../../../../lib/format.ts'
import { type RecordColumn, RecordTable } from '../../../../parts/table/record-table.tsx'
import { Button, IconButton } from '../../../../ui/button.tsx'
import { Switch } from '../../../../ui/switch.tsx'
import { useTest } from '../use-test.ts'
import { When } from '../when.tsx'
import { serviceNames } from './services.ts'
import { useUpdateWebhook } from './use-webhooks.ts'

interface WebhookTableProps {
  webhooks: readonly Webhook[]
  channels: readonly ChannelStatus[]
  onEdit: (webhook: Webhook) => void
  onDelete: (webhook: Webhook) => void
}

export function WebhookTable({ webhooks, channels, onEdit, onDelete }: WebhookTableProps) {
  const columns: readonly RecordColumn<Webhook>[] = [
    {
      header: 'Name',
      cell: ({ name, service }) => (
        <>
          <span className="line-clamp-2 font-medium wrap-anywhere">{name}</span>
          <span className="block text-xs text-ink-3">{serviceNames[service]}</span>
        </>
      ),
      phone: { slot: 'name', draw: ({ name }) => <span className="line-clamp-2 wrap-anywhere">{name}</span> },
    },
    {
      header: 'URL',
      cell: ({ method, url }) => (
        <span className="line-clamp-2 font-mono text-xs break-all text-ink-2">
          {method} {url}
        </span>
      ),
      phone: {
        slot: 'fact',
        draw: ({ service, url }) => (
          <>
            {serviceNames[service]} · <span className="break-all">{url.slice(0, phoneUrl)}</span>
          </>
        ),
      },
    },
    {
      header: 'Last message',
      cell: (webhook) => <Last channel={channels.find((one) => isOf(one, webhook))} />,
      phone: { slot: 'fact' },
    },
    {
      header: 'State',
      cell: (webhook) => <Enabled webhook={webhook} />,
      phone: { slot: 'action' },
    },
    {
      header: 'Actions',
      hideHeader: true,
      align: 'end',
      cell: (webhook) => <Actions webhook={webhook} onEdit={onEdit} onDelete={onDelete} />,
      phone: { slot: 'action' },
    },
  ]
  return (
    <RecordTable label="Webhooks" columns={columns} rows={webhooks} keyOf={({ id }) => id} minWidth={760} />
  )
}

/** Characters of a URL shown on a phone, enough to identify its destination. */
const phoneUrl = 80

const isOf = (channel: ChannelStatus, { id }: Webhook): boolean => channel.id === `webhook:${id}`

function Last({ channel }: { channel: ChannelStatus | undefined }) {
  if (channel?.failingSince !== undefined) {
    return (
      <span className="block min-w-40">
        <span className="block font-medium text-red">
          Failing since {formatMoment(Date.parse(channel.failingSince))}
        </span>
        <span className="line-clamp-3 text-xs wrap-anywhere text-ink-2">
          <MessageText text={channel.lastError ?? ''} />
        </span>
      </span>
    )
  }
  if (channel?.lastDeliveredAt === undefined) return <span className="text-ink-3">No alerts sent yet</span>
  return (
    <span>
      Delivered <When time={channel.lastDeliveredAt} />
    </span>
  )
}

function Enabled({ webhook }: { webhook: Webhook }) {
  const update = useUpdateWebhook(webhook)
  return (
    <Switch
      label={webhook.enabled ? 'Enabled' : 'Disabled'}
      name={`Webhook ${webhook.name}`}
      checked={webhook.enabled}
      disabled={update.isPending}
      onChange={(enabled) => update.mutate({ enabled })}
    />
  )
}

type ActionsProps = Pick<WebhookTableProps, 'onEdit' | 'onDelete'> & { webhook: Webhook }

function Actions({ webhook, onEdit, onDelete }: ActionsProps) {
  const { id, name } = webhook
  const test = useTest({
    passed: 'Test webhook sent successfully!',
    failed: 'Failed to send test webhook',
  })
  return (
    <span className="inline-flex items-center justify-end gap-1">
      <Button
        disabled={test.isRunning}
        aria-label={`Test ${name}`}
        onClick={() => test.run({ type: 'webhook', webhookId: id })}
      >
        {test.isRunning ? 'Testing...' : 'Test'}
      </Button>
      <IconButton label={`Edit ${name}`} onClick={() => onEdit(webhook)}>
        <Pencil aria-hidden size={14} />
      </IconButton>
      <IconButton label={`Delete ${name}`} onClick={() => onDelete(webhook)}>
        <Trash2 aria-hidden size={14} />
      </IconButton>
    </span>
  )
}
