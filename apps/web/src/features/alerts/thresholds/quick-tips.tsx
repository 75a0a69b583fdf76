import { X } from 'lucide-react'
import { useStored, writeStored } from '../../../lib/storage.ts'
import { IconButton } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'

const hiddenKey = 'hideAlertsQuickTip'

/** How the tables are used, until somebody has read it. */
export function QuickTips() {
  if (useStored(hiddenKey) === 'true') return null
  return (
    <Notice
      tone="accent"
      title="Quick tips"
      action={
        <IconButton
          label="Dismiss quick tips"
          className="size-6"
          onClick={() => writeStored(hiddenKey, 'true')}
        >
          <X aria-hidden size={14} />
        </IconButton>
      }
    >
      <ul className="list-disc pl-4">
        <li>Click a value to edit it. Enter saves, Escape cancels.</li>
        <li>Type -1 to switch a metric off. A click on Off switches it on again.</li>
        <li>Overrides are shown in blue; everything else uses the global defaults.</li>
      </ul>
    </Notice>
  )
}
