import { ChevronRight } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { cx } from './cx.ts'

interface DisclosureProps {
  summary: string
  startOpen?: boolean
  className?: string
  summaryClass?: string
  /** keeps the content mounted while closed, so that the browser's search finds it and typed values stay */
  keepMounted?: boolean
  children: ReactNode
}

/** A line that opens its content. The content is mounted only while it is open, because it may be long. */
export function Disclosure(props: DisclosureProps) {
  const { summary, startOpen = false, className, summaryClass, keepMounted = false, children } = props
  const [open, setOpen] = useState(startOpen)
  return (
    <details open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)} className={className}>
      <summary
        className={cx(
          // the default triangle differs between browsers
          'flex min-h-6 w-fit cursor-pointer list-none items-center gap-1.5 rounded font-medium text-ink-2 select-none hover:text-ink [&::-webkit-details-marker]:hidden',
          summaryClass ?? 'text-xs',
        )}
      >
        <ChevronRight
          aria-hidden
          size={14}
          className={cx('-ml-0.5 shrink-0 text-ink-3', open && 'rotate-90')}
        />
        {summary}
      </summary>
      {(open || keepMounted) && children}
    </details>
  )
}
