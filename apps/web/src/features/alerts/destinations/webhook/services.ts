import {
  type WebhookService,
  webhookServiceNames,
  webhookServices,
  type WebhookTemplate,
} from '@pulse/contract'

/** In a list of services, the generic webhook has a plain label. */
export const serviceNames: Record<WebhookService, string> = { ...webhookServiceNames, generic: 'Generic' }

export const serviceChoices = webhookServices.map((service) => ({
  value: service,
  label: serviceNames[service],
}))

export type Templates = readonly WebhookTemplate[]

export const templateOf = (templates: Templates, service: WebhookService): WebhookTemplate | undefined =>
  templates.find((one) => one.service === service)

/** Variables a template may use, each with its meaning. */
export const templateVariables: readonly { name: string; text: string; meaning: string }[] = [
  { name: 'ID', text: '{{.ID}}', meaning: 'Stays the same while the alert is active' },
  { name: 'Level', text: '{{.Level}}', meaning: 'warning or critical' },
  { name: 'Type', text: '{{.Type}}', meaning: 'What is wrong, such as cpu or offline' },
  { name: 'ResourceName', text: '{{.ResourceName}}', meaning: 'The affected resource' },
  { name: 'Node', text: '{{.Node}}', meaning: 'The node it runs on' },
  { name: 'Message', text: '{{.Message}}', meaning: 'The alert in a sentence' },
  { name: 'Value', text: '{{.Value}}', meaning: 'The value above its threshold' },
  { name: 'Threshold', text: '{{.Threshold}}', meaning: 'The threshold' },
  { name: 'Duration', text: '{{.Duration}}', meaning: 'How long the alert has been active, such as 5m' },
  { name: 'Timestamp', text: '{{.Timestamp}}', meaning: 'When the message is sent' },
  { name: 'CustomFields', text: '{{.CustomFields.name}}', meaning: 'The custom field of that name' },
]
