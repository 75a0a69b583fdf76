import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import { toneText, type UiTone } from './tone-class.ts'

interface EmptyStateProps {
  title: string
  /** one sentence, or a few */
  children?: ReactNode
  icon?: ReactNode
  tone?: UiTone
  action?: ReactNode
  /** announced when it appears; for states that replace content */
  announce?: boolean
}

/** Explains why there is no content, and suggests a remedy. */
export function EmptyState({ title, children, icon, tone = 'neutral', action, announce }: EmptyStateProps) {
  return (
    <div
      role={announce ? 'status' : undefined}
      className="flex flex-col items-center justify-center gap-2 px-6 py-14 text-center"
    >
      {icon && (
        <span aria-hidden className={cx('mb-1', tone === 'neutral' ? 'text-ink-3' : toneText[tone])}>
          {icon}
        </span>
      )}
      <h2 className="text-sm font-semibold text-ink">{title}</h2>
      {children && <div className="max-w-md text-table wrap-anywhere text-ink-2">{children}</div>}
      {action && <div className="mt-3 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  )
}
