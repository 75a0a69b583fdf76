import { X } from 'lucide-react'
import type { ComponentType, ReactNode } from 'react'
import { IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { toneText, type UiTone } from '../../ui/tone-class.ts'

interface BannerProps {
  label: string
  tone: UiTone
  icon: ComponentType<{ size?: number; className?: string; 'aria-hidden'?: boolean }>
  /** in one line; read out when it appears */
  title: ReactNode
  /** what it means, in one more */
  text?: ReactNode
  actions?: ReactNode
  onDismiss?: () => void
  /** below, when it is expanded */
  children?: ReactNode
}

/** Something about Pulse itself, above every page. */
export function Banner(props: BannerProps) {
  const { label, tone, icon: Icon, title, text, actions, onDismiss, children } = props
  return (
    <section
      aria-label={label}
      data-tone={tone}
      className={cx('mt-3 rounded-md border border-line border-l-4 bg-raised text-table', edge[tone])}
    >
      <div className="flex flex-wrap items-start gap-x-3 gap-y-2 py-2 pr-2 pl-3">
        <div className="flex min-w-0 flex-1 basis-72 items-start gap-2.5 py-1.5">
          <Icon aria-hidden size={16} className={cx('mt-0.5 shrink-0', toneText[tone])} />
          <div className="min-w-0 break-words">
            <p role="status" className="font-medium">
              {title}
            </p>
            {text && <div className="text-ink-2">{text}</div>}
          </div>
        </div>
        <div className="ml-auto flex flex-wrap items-center justify-end gap-1.5">
          {actions}
          {onDismiss && (
            <IconButton label={`Dismiss: ${label}`} onClick={onDismiss}>
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
