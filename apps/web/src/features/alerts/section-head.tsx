import type { ReactNode } from 'react'
export interface SectionProps {
  section: { title: string; description: string }
}

interface SectionHeadProps extends SectionProps {
  /** actions only: the tab strip above already names the section */
  compact?: boolean
  children?: ReactNode
}

/** Title of a section, with its main switch at the other end. */
export const SectionHead = ({
  section: { title, description },
  compact = false,
  children,
}: SectionHeadProps) => (
  <header
    className={compact ? 'flex min-h-8 items-center gap-2' : 'flex flex-wrap items-start gap-x-6 gap-y-2'}
  >
    <div className={compact ? 'sr-only' : 'min-w-0 flex-1 basis-60'}>
      <h1 className="text-base font-semibold">{title}</h1>
      <p className="text-table text-ink-2">{description}</p>
    </div>
    {children}
  </header>
)
