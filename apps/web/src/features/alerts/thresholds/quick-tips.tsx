import { CircleHelp, X } from 'lucide-react'
import { type RefObject, useRef } from 'react'
import { flushSync } from 'react-dom'
import { useStored, writeStored } from '../../../lib/storage.ts'
import { IconButton } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { tip } from '../../../ui/tooltip.tsx'

const hiddenKey = 'hideAlertsQuickTip'

interface Tips {
  shown: boolean
  toggle: () => void
  /** the toggle button; the two variants replace each other and hand over the focus */
  button: RefObject<HTMLButtonElement | null>
}

export function useQuickTips(): Tips {
  const shown = useStored(hiddenKey) !== 'true'
  const button = useRef<HTMLButtonElement>(null)
  return {
    shown,
    toggle() {
      flushSync(() => writeStored(hiddenKey, shown ? 'true' : null))
      button.current?.focus()
    },
    button,
  }
}

/** How to use the tables; shown until dismissed. */
export function QuickTips({ tips: { shown, toggle, button } }: { tips: Tips }) {
  if (!shown) return null
  return (
    <Notice
      tone="accent"
      title="Quick tips"
      action={
        <IconButton ref={button} label="Dismiss quick tips" className="size-6" onClick={toggle}>
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

/** Shows the dismissed tips again. */
export function ShowTips({ tips: { shown, toggle, button } }: { tips: Tips }) {
  if (shown) return null
  return (
    <IconButton ref={button} label="Show tips" onClick={toggle} {...tip('Show tips')}>
      <CircleHelp aria-hidden size={16} />
    </IconButton>
  )
}
