import { CircleCheck } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import type { SummaryFocus } from './order.ts'

interface NoLinesProps {
  focus: Exclude<SummaryFocus, undefined>
  onShowAll: (() => void) | undefined
}

const words = { unreachable: 'Every node can be reached.', attention: 'No node needs attention.' } as const

/** In place of a table without lines, with the way back to all of them. */
export function NoLines({ focus, onShowAll }: NoLinesProps) {
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-x-2 gap-y-1 px-3 py-1.5 text-table text-ink-2">
      <CircleCheck aria-hidden size={14} className="shrink-0 text-green" />
      <span role="status">{words[focus]}</span>
      {onShowAll && (
        <Button className="ml-auto" onClick={onShowAll}>
          Show everything
        </Button>
      )}
    </div>
  )
}
