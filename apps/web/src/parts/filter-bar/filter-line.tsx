import { Filter } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useId, useLayoutEffect, useRef } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'

interface FilterLineProps {
  shown: boolean
  onShow: (shown: boolean) => void
  /** number of active filters */
  active: number
  /** renders the FilterBar with this id */
  bar: (id: string) => ReactNode
  /** further content of this line */
  children?: ReactNode
}

/**
 * The line above a table. On a wide screen the filters open within it. On other screens the page scrolls by
 * their height, so that the table's head keeps its position.
 */
export function FilterLine({ shown, onShow, active, bar, children }: FilterLineProps) {
  const id = useId()
  const line = useRef<HTMLDivElement>(null)
  useSteadyBelow(line, shown)
  return (
    <div ref={line} className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1">
      <Button
        variant="ghost"
        aria-expanded={shown}
        aria-controls={shown ? id : undefined}
        onClick={() => onShow(!shown)}
      >
        <Filter aria-hidden size={14} />
        Filters
        {active > 0 && (
          <Badge tone="accent">
            {active}
            <span className="sr-only"> active</span>
          </Badge>
        )}
      </Button>
      {children}
      {shown && bar(id)}
    </div>
  )
}

/**
 * Keeps the content after the element in place in the window when the element's height changes with `state`.
 */
function useSteadyBelow(element: RefObject<HTMLElement | null>, state: boolean): void {
  const height = useRef(0)
  const drawn = useRef(state)
  useLayoutEffect(() => {
    if (drawn.current === state) return
    drawn.current = state
    const grown = element.current!.offsetHeight - height.current
    if (grown !== 0) window.scrollBy(0, grown)
  }, [element, state])
  useEffect(() => {
    const sizes = new ResizeObserver(() => (height.current = element.current?.offsetHeight ?? 0))
    sizes.observe(element.current!)
    return () => sizes.disconnect()
  }, [element])
}
