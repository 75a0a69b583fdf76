import { Search, TriangleAlert, X } from 'lucide-react'
import { type ReactNode, type RefObject, useId } from 'react'
import { type SearchHistoryOwner, useSearchHistory } from '../../lib/storage.ts'
import { tip } from '../../ui/tooltip.tsx'
import { SearchHistoryMenu } from './search-history-menu.tsx'

export interface SearchBoxProps {
  /** accessible name */
  label: string
  placeholder: string
  value: string
  onChange: (value: string) => void
  /** key of its search history */
  history: SearchHistoryOwner
  /** the search tips, beside the history */
  tips?: ReactNode
  inputRef: RefObject<HTMLInputElement | null>
  /** ArrowDown: focuses the results */
  onLeaveDown?: () => void
  /** explains terms that cannot match */
  problem?: string | undefined
}

const control =
  'inline-flex size-6 shrink-0 items-center justify-center rounded text-ink-3 hover:bg-hover hover:text-ink'

/** Searches while the user types. Enter and leaving the box add the search to the history. */
export function SearchBox(props: SearchBoxProps) {
  const { label, placeholder, value, onChange, history: owner, tips, inputRef, onLeaveDown, problem } = props
  const problemId = useId()
  const history = useSearchHistory(owner)

  const choose = (term: string) => {
    onChange(term)
    inputRef.current?.focus()
  }

  return (
    <div className="flex h-8 min-w-0 flex-1 items-center gap-0.5 rounded-md border border-control bg-surface pr-1 pl-2 has-[>input:focus]:outline-2 has-[>input:focus]:outline-accent">
      <Search aria-hidden size={14} className="shrink-0 text-ink-3" />
      <input
        ref={inputRef}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        aria-label={label}
        aria-describedby={problem && problemId}
        placeholder={placeholder}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return
          if (event.key === 'Enter') history.add(value)
          if (event.key !== 'ArrowDown' || !onLeaveDown) return
          event.preventDefault()
          onLeaveDown()
        }}
        onBlur={() => history.add(value)}
        className="h-full min-w-0 flex-1 bg-transparent px-1 text-table text-ink outline-none placeholder:text-ink-3"
      />
      <output id={problemId} className="sr-only">
        {problem}
      </output>
      {problem && (
        <span aria-hidden className="inline-flex shrink-0 text-orange" {...tip(problem, 320)}>
          <TriangleAlert size={14} />
        </span>
      )}
      {value && (
        <button type="button" aria-label="Clear search" className={control} onClick={() => choose('')}>
          <X aria-hidden size={14} />
        </button>
      )}
      <SearchHistoryMenu history={history} onChoose={choose} className={control} />
      {tips}
    </div>
  )
}
