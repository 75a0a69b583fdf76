import { type ChannelStatus, type EmailConfig, emailLimits } from '@pulse/contract'
import { Loaded } from '../../../../parts/sections/loaded.tsx'
import { Panel } from '../../../../ui/panel.tsx'
import { WholeField } from '../../whole-field.tsx'
import { ChannelLine } from '../channel-line.tsx'
import { ChannelSwitch, TestFoot } from '../channel-parts.tsx'
import { type PartForm, usePart } from '../edits.tsx'
import { type EmailFieldsProps, emailPart, type EmailForm, toInput } from './form.ts'
import { FieldGroup } from '../field-group.tsx'
import { EmailMessage } from './message.tsx'
import { EmailServer } from './server.tsx'
import { detailsOf } from '../part.ts'
import type { ChannelCardProps, ChannelKindUi } from '../kind.ts'
import { useTest } from '../use-test.ts'

export const emailKind: ChannelKindUi = { label: 'Email', part: emailPart, Card: EmailCard }

function EmailCard({ channels: [channel] }: ChannelCardProps) {
  const part = usePart(emailPart)
  const { query, formOf, edit } = part
  const { data } = query
  const enabled = data !== undefined && formOf(data).enabled
  return (
    <Panel
      title="Email"
      description="Send alerts by email through your own SMTP server or a provider."
      action={
        data && <ChannelSwitch name="Email" enabled={enabled} onChange={(on) => edit({ enabled: on })} />
      }
    >
      <Loaded query={query} what="the email settings" count={5}>
        {(stored) => <Form part={part} stored={stored} channel={channel} />}
      </Loaded>
    </Panel>
  )
}

interface FormProps {
  channel: ChannelStatus | undefined
  part: PartForm<EmailConfig, EmailForm>
  stored: EmailConfig
}

function Form({ part, stored, channel }: FormProps) {
  const form = part.formOf(stored)
  const fields: EmailFieldsProps = { form, stored, problems: part.problems, edit: part.edit }
  const test = useTest(
    {
      passed: 'Test email sent successfully! Check your inbox.',
      failed: 'Failed to send test email',
    },
    (error) => part.object(detailsOf(error)),
  )
  return (
    <div className="flex flex-col gap-5">
      <ChannelLine channel={channel} />
      <EmailServer {...fields} />
      <EmailMessage {...fields} />
      <EmailSending {...fields} />
      <TestFoot
        enabled={form.enabled}
        hint="Enable email to send a test."
        label="Send Test Email"
        isRunning={test.isRunning}
        onTest={() => test.run({ type: 'email', config: toInput(form) })}
      />
    </div>
  )
}

const { maxRetries, retryDelay, rateLimit } = emailLimits

/** Retries and rate limit. */
function EmailSending({ form, problems, edit }: EmailFieldsProps) {
  return (
    <FieldGroup title="Sending" columns="md:grid-cols-3">
      <WholeField
        label="Retries"
        unit="times"
        hint={`After a failed attempt, ${maxRetries.min} to ${maxRetries.max}`}
        value={form.maxRetries}
        bounds={maxRetries}
        onChange={(value) => edit({ maxRetries: value })}
        error={problems['maxRetries']}
      />
      <WholeField
        label="Retry delay"
        unit="seconds"
        hint={`Wait before the first retry, ${retryDelay.min} to ${retryDelay.max}`}
        value={form.retryDelay}
        bounds={retryDelay}
        onChange={(value) => edit({ retryDelay: value })}
        error={problems['retryDelay']}
      />
      <WholeField
        label="Rate limit"
        unit="per minute"
        hint="Excess messages are delayed"
        value={form.rateLimit}
        bounds={rateLimit}
        onChange={(value) => edit({ rateLimit: value })}
        error={problems['rateLimit']}
      />
    </FieldGroup>
  )
}
