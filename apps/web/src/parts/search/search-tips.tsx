import { CircleHelp } from 'lucide-react'
import { Popover } from '../../ui/popover.tsx'
import { tip } from '../../ui/tooltip.tsx'

export interface SearchTip {
  code: string
  description: string
}

export interface SearchTipsProps {
  title: string
  intro: string
  tips: readonly SearchTip[]
  footer?: string
}

/** Explains the search syntax. */
export function SearchTips({ title, intro, tips, footer }: SearchTipsProps) {
  return (
    <Popover
      label={title}
      align="end"
      trigger={
        <button
          type="button"
          aria-label={title}
          className="inline-flex size-6 shrink-0 items-center justify-center rounded text-ink-3 hover:bg-hover hover:text-ink"
          {...tip(title)}
        >
          <CircleHelp aria-hidden size={14} />
        </button>
      }
    >
      <h2 className="text-table font-semibold">{title}</h2>
      <p className="mt-1 text-xs text-ink-2">{intro}</p>
      <dl className="mt-2 grid grid-cols-[auto_1fr] items-baseline gap-x-3 gap-y-1.5 text-xs">
        {tips.map(({ code, description }) => (
          <div key={code} className="contents">
            <dt>
              <code className="rounded bg-sunken px-1.5 py-0.5 font-mono text-2xs whitespace-nowrap text-ink">
                {code}
              </code>
            </dt>
            <dd className="text-ink-2">{description}</dd>
          </div>
        ))}
      </dl>
      {footer && <p className="mt-2 border-t border-line pt-2 text-xs text-ink-3">{footer}</p>}
    </Popover>
  )
}
