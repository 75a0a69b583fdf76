import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import { toneSoft, toneText, type UiTone } from './tone-class.ts'

interface NoticeProps {
  tone?: UiTone
  title?: string
  children?: ReactNode
  action?: ReactNode
  /** announced when it appears */
  announce?: boolean
}

const icons = {
  neutral: Info,
  accent: Info,
  green: CircleCheck,
  yellow: TriangleAlert,
  orange: TriangleAlert,
  red: CircleAlert,
} satisfies Record<UiTone, unknown>

/** An inline message. */
export function Notice({ tone = 'neutral', title, children, action, announce }: NoticeProps) {
  const Icon = icons[tone]
  return (
    <div
      {...(announce && { role: tone === 'red' ? 'alert' : 'status' })}
      className={cx(
        'flex flex-wrap items-start gap-x-3 gap-y-2 rounded-md px-3 py-2.5 text-table',
        tone === 'neutral' ? 'bg-sunken' : toneSoft[tone],
      )}
    >
      <Icon aria-hidden size={16} className={cx('mt-0.5 shrink-0', toneText[tone])} />
      <div className="min-w-0 flex-1 basis-48 break-words">
        {title && <p className="font-medium text-ink">{title}</p>}
        {children && <div className="text-ink-2">{children}</div>}
      </div>
      {action}
    </div>
  )
}
