import { X } from 'lucide-react'
import type { ComponentType, ReactNode } from 'react'
import { IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { toneText, type UiTone } from '../../ui/tone-class.ts'

interface BannerProps {
  label: string
  tone: UiTone
  icon: ComponentType<{ size?: number; className?: string; 'aria-hidden'?: boolean }>
  /** one line; announced when it appears */
  title: ReactNode
  /** explanation, one line */
  text?: ReactNode
  actions?: ReactNode
  onDismiss?: () => void
  /** content when expanded */
  children?: ReactNode
}

/** A message about Pulse, above every page. */
export function Banner(props: BannerProps) {
  const { label, tone, icon: Icon, title, text, actions, onDismiss, children } = props
  return (
    <section
      aria-label={label}
      data-tone={tone}
      className={cx('mt-3 rounded-md border border-line border-l-4 bg-raised text-table', edge[tone])}
    >
      <div className="relative flex flex-wrap items-center gap-x-3 gap-y-1.5 px-3 py-2 sm:py-1.5">
        <div
          className={cx('flex min-w-0 flex-1 basis-72 items-start gap-2.5 py-1', onDismiss && 'pr-8 sm:pr-0')}
        >
          <Icon aria-hidden size={16} className={cx('mt-0.5 shrink-0', toneText[tone])} />
          <div className="flex min-w-0 flex-wrap gap-x-2.5 wrap-anywhere">
            <p role="status" className="font-medium">
              {title}
            </p>
            {text && <p className="text-ink-2">{text}</p>}
          </div>
        </div>
        <div className="flex flex-wrap items-center gap-1.5 pl-6 sm:ml-auto sm:justify-end sm:pl-0">
          {actions}
          {onDismiss && (
            <IconButton
              label={`Dismiss: ${label}`}
              onClick={onDismiss}
              // in the corner on phones, which saves a line
              className="absolute top-1.5 right-1.5 sm:static"
            >
              <X aria-hidden size={16} />
            </IconButton>
          )}
        </div>
      </div>
      {children && <div className="border-t border-line px-3 py-3">{children}</div>}
    </section>
  )
}

const edge: Record<UiTone, string> = {
  neutral: 'border-l-control',
  accent: 'border-l-accent-fill',
  green: 'border-l-green-fill',
  yellow: 'border-l-yellow-fill',
  orange: 'border-l-orange-fill',
  red: 'border-l-red-fill',
}
