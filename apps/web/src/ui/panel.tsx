import { type ReactNode, useId } from 'react'
import { Button } from './button.tsx'
import { Card } from './card.tsx'
import { cx } from './cx.ts'
import { Notice } from './notice.tsx'
import { Skeleton } from './skeleton.tsx'

interface PanelProps {
  title: string
  description?: ReactNode
  /** main button */
  action?: ReactNode
  children: ReactNode
  /** no padding, for tables */
  flush?: boolean
  /** limits the width, so that fields stay near their labels */
  form?: boolean
}

/** One topic of a section. */
export function Panel({ title, description, action, children, flush = false, form = false }: PanelProps) {
  const id = useId()
  return (
    <Card aria-labelledby={id} className={cx('overflow-clip', form && 'max-w-[720px]')}>
      <header className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 py-3">
        <div className="min-w-0 flex-1 basis-64">
          <h2 id={id} className="text-sm font-semibold">
            {title}
          </h2>
          {description && <p className="text-table text-ink-2">{description}</p>}
        </div>
        {action}
      </header>
      <div className={flush ? undefined : 'p-4'}>{children}</div>
    </Card>
  )
}

/** Placeholder rows. */
export function LoadingRows({ label, count = 3 }: { label: string; count?: number }) {
  return (
    <div role="status" aria-label={label} className="p-2">
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className="flex h-11 items-center gap-4 px-2">
          <Skeleton className="h-3 w-40 max-w-[40%]" />
          <Skeleton className="h-3 flex-1" />
          <Skeleton className="hidden h-3 w-24 sm:block" />
        </div>
      ))}
    </div>
  )
}

interface LoadFailedProps {
  title: string
  reason?: string | undefined
  onRetry: () => void
}

export function LoadFailed({ title, reason, onRetry }: LoadFailedProps) {
  return (
    <div className="p-4">
      <Notice tone="red" title={title} announce action={<Button onClick={onRetry}>Retry</Button>}>
        {reason}
      </Notice>
    </div>
  )
}
