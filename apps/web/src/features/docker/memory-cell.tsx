import { memo } from 'react'
import { bytesParts } from '../../lib/format.ts'
import { Amount, cellClass, Usage } from '../../parts/cells/cells.tsx'
import { cx } from '../../ui/cx.ts'
import { tip } from '../../ui/tooltip.tsx'

interface MemoryCellProps {
  percent: number | undefined
  bytes: number | undefined
  stale: boolean
  hint: string | undefined
}

/** Of what a container may have, and as much as it is: limits differ too much for the share to say it alone. */
export const MemoryCell = memo(function MemoryCell({ percent, bytes, stale, hint }: MemoryCellProps) {
  return (
    <div role="gridcell" className={cellClass('flex items-center justify-end gap-1.5')} {...tip(hint)}>
      <Usage percent={percent} scale="memory" stale={stale} />
      {bytes !== undefined && (
        <Amount
          {...bytesParts(bytes)}
          className={cx(
            'w-[4.6rem] shrink-0 text-right whitespace-nowrap tabular-nums',
            stale ? 'text-ink-3' : 'text-ink-2',
          )}
        />
      )}
    </div>
  )
})
