import { History, Loader } from 'lucide-react'
import { PAST_MARK_HEIGHT } from '../../lib/moment.tsx'
import { rem } from '../../lib/text-scale.ts'

interface MarkProps {
  text: string
  isLoading: boolean
  onBack: () => void
}

/** Stays at the top of the window while the page shows the past. Its colour is no state: that of the text. */
export function Mark({ text, isLoading, onBack }: MarkProps) {
  const Icon = isLoading ? Loader : History
  return (
    <>
      <div aria-hidden className="pointer-events-none fixed inset-0 z-[36] border-2 border-ink" />
      <div
        role="region"
        aria-label="The page shows the past"
        data-past-mark
        className="sticky top-0 z-[35] bg-ink text-page"
        style={{ height: rem(PAST_MARK_HEIGHT) }}
      >
        <div className="frame flex h-full items-center justify-center gap-2 text-table font-medium tabular-nums">
          <Icon aria-hidden size={15} className={isLoading ? 'spin shrink-0' : 'shrink-0'} />
          <output className="truncate" aria-live="polite">
            {isLoading && <span className="sr-only">Loading </span>}
            {text}
          </output>
          <span aria-hidden>·</span>
          <button
            type="button"
            onClick={onBack}
            className="shrink-0 rounded px-1.5 py-0.5 underline underline-offset-2 hover:no-underline focus-visible:outline-page"
          >
            Back to now
          </button>
        </div>
      </div>
    </>
  )
}
