import { Button } from '../../../ui/button.tsx'
import { Switch } from '../../../ui/switch.tsx'

/** Enables the channel; part of its card's head. */
export const ChannelSwitch = ({
  name,
  enabled,
  onChange,
}: {
  name: string
  enabled: boolean
  onChange: (on: boolean) => void
}) => <Switch name={name} label={enabled ? 'Enabled' : 'Disabled'} checked={enabled} onChange={onChange} />

interface TestFootProps {
  enabled: boolean
  /** shown while the channel is disabled */
  hint: string
  label: string
  isRunning: boolean
  onTest: () => void
}

/** Last line of a card: sends a test with the values above. */
export const TestFoot = ({ enabled, hint, label, isRunning, onTest }: TestFootProps) => (
  <div className="flex flex-wrap items-center justify-end gap-x-3 gap-y-2">
    <p className="min-w-0 flex-1 basis-48 text-xs text-ink-2">
      {enabled ? 'The test uses the values above, even if unsaved.' : hint}
    </p>
    <Button disabled={isRunning || !enabled} onClick={onTest}>
      {isRunning ? 'Sending...' : label}
    </Button>
  </div>
)
