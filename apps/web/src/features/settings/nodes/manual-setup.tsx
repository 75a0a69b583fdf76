import type { SourceKind } from '@pulse/contract'
import { CopyField } from '../../../ui/copy-field.tsx'
import { toast } from '../../../ui/toast.ts'
import { manualSteps } from './manual-steps.ts'

const copiedMs = 2_000

/** The account for Pulse, made by hand. */
export function ManualSetup({ kind }: { kind: SourceKind }) {
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
