import { type AppriseConfig, appriseDefaults, appriseLimits, type ChannelStatus } from '@pulse/contract'
import { Loaded } from '../../../../parts/sections/loaded.tsx'
import { Panel } from '../../../../ui/panel.tsx'
import { SegmentedToggle } from '../../../../ui/segmented-toggle.tsx'
import { TextArea } from '../../../../ui/text-area.tsx'
import { TextField } from '../../../../ui/text-field.tsx'
import { type AppriseFieldsProps, apprisePart, type AppriseForm, areTargetsMoved, toInput } from './form.ts'
import { AppriseServer, AppriseTimeout } from './server.tsx'
import { ChannelLine } from '../channel-line.tsx'
import { ChannelSwitch, TestFoot } from '../channel-parts.tsx'
import { type PartForm, usePart } from '../edits.tsx'
import { detailsOf } from '../part.ts'
import type { ChannelCardProps, ChannelKindUi } from '../kind.ts'
import { useTest } from '../use-test.ts'

export const appriseKind: ChannelKindUi = { label: 'Apprise', part: apprisePart, Card: AppriseCard }

function AppriseCard({ channels: [channel] }: ChannelCardProps) {
  const part = usePart(apprisePart)
  const { query, formOf, edit } = part
  const { data } = query
  const enabled = data !== undefined && formOf(data).enabled
  return (
    <Panel
      title="Apprise"
      description="Send alerts through any service Apprise supports."
      action={
        data && <ChannelSwitch name="Apprise" enabled={enabled} onChange={(on) => edit({ enabled: on })} />
      }
    >
      <Loaded query={query} what="the Apprise settings">
        {(stored) => <Form part={part} stored={stored} channel={channel} />}
      </Loaded>
    </Panel>
  )
}

interface FormProps {
  channel: ChannelStatus | undefined
  part: PartForm<AppriseConfig, AppriseForm>
  stored: AppriseConfig
}

function Form({ part, stored, channel }: FormProps) {
  const form = part.formOf(stored)
  const fields: AppriseFieldsProps = { form, stored, problems: part.problems, edit: part.edit }
  const test = useTest(
    {
      passed: 'Test notification sent through Apprise!',
      failed: 'Failed to send test notification through Apprise',
    },
    (error) => part.object(detailsOf(error)),
  )
  return (
    <div className="flex flex-col gap-5">
      <ChannelLine channel={channel} />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <SegmentedToggle
          label="Mode"
          value={form.mode}
          options={[
            { value: 'cli', label: 'Apprise CLI' },
            { value: 'http', label: 'Apprise API server' },
          ]}
          onChange={(mode) => part.edit({ mode })}
        />
        <p className="min-w-0 flex-1 basis-48 text-xs text-ink-2">
          {form.mode === 'cli'
            ? 'Runs the apprise program on the Pulse machine.'
            : 'Sends each message to an Apprise API server.'}
        </p>
      </div>
      <div className="grid items-start gap-4 md:grid-cols-2">
        <Targets {...fields} />
        {form.mode === 'cli' ? <Program {...fields} /> : <AppriseServer {...fields} />}
      </div>
      <TestFoot
        enabled={form.enabled}
        hint="Enable Apprise to send a test."
        label="Send Test Notification"
        isRunning={test.isRunning}
        onTest={() => test.run({ type: 'apprise', config: toInput(form) })}
      />
    </div>
  )
}

function Targets({ form, stored, problems, edit }: AppriseFieldsProps) {
  const moved = areTargetsMoved(form, stored)
  const hint = moved
    ? 'Re-enter masked parts (********): the server changed, and Pulse never sends saved secrets to a different destination.'
    : form.mode === 'http'
      ? 'One per line or comma-separated. Optional if the server stores a configuration.'
      : 'One per line or comma-separated. Masked parts (********) are kept.'
  return (
    <TextArea
      code
      label="Delivery targets"
      rows={7}
      value={form.targets}
      onChange={(targets) => edit({ targets })}
      error={moved && problems['targets'] !== undefined ? hint : problems['targets']}
      placeholder={'discord://webhook_id/webhook_token\nmailto://user:password@example.com'}
      hint={hint}
    />
  )
}

/** Shown because imported settings may contain it. For security, this page does not choose the executable. */
function Program({ form, problems, edit }: AppriseFieldsProps) {
  return (
    <div className="flex flex-col gap-4">
      <TextField
        label="CLI path"
        value={form.cliPath}
        onChange={(cliPath) => edit({ cliPath })}
        readOnly
        error={problems['cliPath']}
        placeholder={appriseDefaults.cliPath}
        hint="For reference only. For security, the executable is set by PULSE_APPRISE_PATH or found in the system path."
        maxLength={appriseLimits.nameLength}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
      />
      <AppriseTimeout form={form} problems={problems} edit={edit} />
    </div>
  )
}
