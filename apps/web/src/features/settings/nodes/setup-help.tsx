import type { SourceKind } from '@pulse/contract'
import { useState } from 'react'
import { CopyField } from '../../../ui/copy-field.tsx'
import { SegmentedToggle } from '../../../ui/segmented-toggle.tsx'
import { toast } from '../../../ui/toast.ts'
import { manualSteps } from './manual-steps.ts'
import type { NodeForm } from './node-form.ts'
import { SetupCommand } from './setup-command.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'

export type SetupMode = 'auto' | 'manual'

const modes = [
  { value: 'auto', label: 'Quick setup' },
  { value: 'manual', label: 'Manual' },
] as const

interface SetupModeToggleProps {
  mode: SetupMode
  onChange: (mode: SetupMode) => void
}

export const SetupModeToggle = ({ mode, onChange }: SetupModeToggleProps) => (
  <SegmentedToggle label="Setup mode" value={mode} options={modes} onChange={onChange} />
)

interface SetupHelpProps {
  kind: SourceKind
  form: NodeForm
  /** an existing node may be set up again by the script */
  editing: boolean
}

/** How to create an account for Pulse on the monitored server, beside the credential fields. */
export function SetupHelp({ kind, form, editing }: SetupHelpProps) {
  const [mode, setMode] = useState<SetupMode>('auto')
  // script and manual steps create a token; only mail gateways use a password
  if ((kind === 'pmg') !== (form.authType === 'password')) return null
  return (
    <Disclosure
      summary="Set up an account for Pulse"
      className="rounded-md border border-line bg-sunken"
      summaryClass="px-3 py-2 text-table"
      keepMounted
    >
      <div className="flex flex-col gap-3 border-t border-line p-3">
        {editing && kind !== 'pmg' && (
          <div>
            <SetupModeToggle mode={mode} onChange={setMode} />
          </div>
        )}
        {editing && kind !== 'pmg' && mode === 'auto' ? (
          <SetupCommand kind={kind} host={form.host} />
        ) : (
          <ManualSetup kind={kind} />
        )}
      </div>
    </Disclosure>
  )
}

const copiedMs = 2_000

/** Manual steps to create the account. */
function ManualSetup({ kind }: { kind: SourceKind }) {
  return (
    <>
      <p className="text-table text-ink-2">Run these commands as root on the server.</p>
      <ol className="flex flex-col gap-4">
        {manualSteps[kind].map(({ title, note, commands }, index) => (
          <li key={title} className="flex flex-col gap-1.5">
            <p className="text-table font-medium">{`${index + 1}. ${title}`}</p>
            {note && <p className="text-xs text-ink-2">{note}</p>}
            {commands.map((command, at) => (
              <CopyField
                key={command}
                label={commands.length > 1 ? `Command ${index + 1}.${at + 1}` : `Command ${index + 1}`}
                hideLabel
                value={command}
                onCopied={() => toast.success('Command copied!', copiedMs)}
                onFailed={() => toast.error('Failed to copy command')}
              />
            ))}
          </li>
        ))}
      </ol>
    </>
  )
}
