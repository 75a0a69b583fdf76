import { History, X } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import type { useSearchHistory } from '../../lib/storage.ts'
import { Popover } from '../../ui/popover.tsx'
import { tip } from '../../ui/tooltip.tsx'

interface SearchHistoryMenuProps {
  history: ReturnType<typeof useSearchHistory>
  onChoose: (term: string) => void
  /** class name of its button */
  className: string
}

/** Earlier searches, newest first, to choose, remove or clear. */
export function SearchHistoryMenu({ history, onChoose, className }: SearchHistoryMenuProps) {
  return (
    <Popover
      label="Search history"
      align="end"
      trigger={
        <button type="button" aria-label="Search history" className={className} {...tip('Search history')}>
          <History aria-hidden size={14} />
        </button>
      }
    >
      {(close) =>
        history.history.length === 0 ? (
          <p className="px-1 text-table text-ink-2">No recent searches.</p>
        ) : (
          <div className="-m-1 w-74 max-w-[calc(100%+8px)]">
            <ul
              aria-label="Recent searches"
              className="max-h-52 overflow-y-auto"
              onKeyDown={moveBetweenTerms}
            >
              {history.history.map((term) => (
                <li key={term} className="flex items-center rounded hover:bg-hover">
                  <button
                    type="button"
                    data-term
                    className="min-w-0 flex-1 truncate px-2 py-1.5 text-left text-table"
                    onClick={() => {
                      close()
                      onChoose(term)
                    }}
                  >
                    {term}
                  </button>
                  <button
                    type="button"
                    aria-label={`Remove ${term}`}
                    className="mr-1 inline-flex size-6 shrink-0 items-center justify-center rounded text-ink-3 hover:text-ink"
                    onClick={() => history.remove(term)}
                  >
                    <X aria-hidden size={13} />
                  </button>
                </li>
              ))}
            </ul>
            <button
              type="button"
              className="mt-1 w-full rounded border-t border-line px-2 py-1.5 text-left text-xs text-ink-2 hover:bg-hover hover:text-ink"
              onClick={history.clear}
            >
              Clear history
            </button>
          </div>
        )
      }
    </Popover>
  )
}

function moveBetweenTerms(event: KeyboardEvent<HTMLElement>) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (!step) return
  event.preventDefault()
  const terms = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-term]')]
  const at = terms.findIndex((term) => term.parentElement?.contains(document.activeElement))
  terms[Math.min(terms.length - 1, Math.max(0, at + step))]?.focus()
}
