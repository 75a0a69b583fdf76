import { ChartLine } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../../ui/button.tsx'
import { lazyPart } from '../../ui/code/lazy-part.tsx'
import { cx } from '../../ui/cx.ts'
import { tip } from '../../ui/tooltip.tsx'
import type { HistoryDialogProps } from './history-dialog.tsx'

const HistoryDialog = lazyPart<HistoryDialogProps>(
  'History',
  async () => ({ default: (await import('./history-dialog.tsx')).HistoryDialog }),
  { fallback: () => null },
)

interface HistoryButtonProps extends Omit<HistoryDialogProps, 'onClose'> {
  tabIndex?: 0 | -1
  className?: string
}

/** Opens the charts of a thing whose row or card has no details. Their code loads with the first dialog. */
export function HistoryButton({ tabIndex, className, ...shown }: HistoryButtonProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    // A dialog is in the page of its button, and a click in it is none on the row.
    <span role="presentation" className="inline-flex shrink-0" onClick={(event) => event.stopPropagation()}>
      <IconButton
        label={`History of ${shown.name}`}
        className={cx('size-5 text-ink-3 hover:text-ink', className)}
        {...(tabIndex !== undefined && { tabIndex })}
        onClick={() => setIsOpen(true)}
        {...tip('History')}
      >
        <ChartLine aria-hidden size={13} />
      </IconButton>
      {isOpen && <HistoryDialog {...shown} onClose={() => setIsOpen(false)} />}
    </span>
  )
}
