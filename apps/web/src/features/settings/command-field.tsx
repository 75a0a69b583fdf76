import { CopyField } from '../../ui/copy-field.tsx'
import { toast } from '../../ui/toast.ts'

interface CommandFieldProps {
  label: string
  command: string
  /** several lines, such as a file */
  lines?: boolean
  onCopied?: () => void
}

const copiedMs = 2_000
const failedMs = 6_000

/** A command to run on another machine. */
export const CommandField = ({ label, command, lines = false, onCopied }: CommandFieldProps) => (
  <CopyField
    label={label}
    value={command}
    lines={lines}
    onCopied={() => {
      toast.success('Command copied to clipboard!', copiedMs)
      onCopied?.()
    }}
    onFailed={() => toast.error('Failed to copy to clipboard', failedMs)}
  />
)
