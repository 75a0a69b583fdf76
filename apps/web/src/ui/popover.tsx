import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useId,
  useRef,
  useState,
} from 'react'
import { cx } from './cx.ts'
import { tabStopsOf } from './focusable.ts'

interface TriggerProps {
  ref: RefObject<HTMLButtonElement | null>
  popoverTarget: string
  'aria-expanded': boolean
  'aria-haspopup': 'dialog'
}

interface PopoverProps {
  /** names the panel */
  label: string
  /** the button that opens it: spread the props onto it */
  trigger: (props: TriggerProps) => ReactNode
  children: ReactNode | ((close: () => void) => ReactNode)
  /** the edge of the button at which it begins, or ends */
  align?: 'start' | 'end'
}

/**
 * A panel at a button, above everything: the platform opens it, puts it there, and closes it on Escape and on a press
 * outside. It also closes when the focus leaves it.
 */
export function Popover({ label, trigger, children, align = 'start' }: PopoverProps) {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const id = useId()

  const close = () => document.getElementById(id)?.hidePopover()

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Escape') {
      // the platform closes it; the page below does not also take it for its own
      event.stopPropagation()
      button.current?.focus()
    }
    if (event.key !== 'Tab') return
    // Tab goes on behind the button, Shift+Tab to it
    const stops = tabStopsOf(panel.current!)
    const at = stops.indexOf(document.activeElement as HTMLElement)
    const leaves = event.shiftKey ? at <= 0 : at === stops.length - 1
    if (!leaves) return
    if (event.shiftKey) event.preventDefault()
    button.current?.focus()
    close()
  }

  const onBlur = ({ relatedTarget }: FocusEvent<HTMLElement>) => {
    if (!(relatedTarget instanceof Node)) return
    if (!panel.current?.contains(relatedTarget) && !button.current?.contains(relatedTarget)) close()
  }

  return (
    <>
      {trigger({ ref: button, popoverTarget: id, 'aria-expanded': open, 'aria-haspopup': 'dialog' })}
      <div
        ref={panel}
        id={id}
        popover="auto"
        hidden={!open}
        role="dialog"
        aria-label={label}
        tabIndex={-1}
        onBeforeToggle={({ newState }) => setOpen(newState === 'open')}
        onToggle={({ newState }) => newState === 'open' && panel.current?.focus()}
        onKeyDown={onKeyDown}
        onBlur={onBlur}
        className={cx(
          'popover-panel overflow-y-auto rounded-lg border border-line bg-raised p-3 text-ink shadow-raised outline-none',
          align === 'end' && 'at-end',
        )}
      >
        {open && (typeof children === 'function' ? children(close) : children)}
      </div>
    </>
  )
}
