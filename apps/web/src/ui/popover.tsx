import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'
import { tabStopsOf } from './focusable.ts'
import { place } from './place.ts'
import { useDismiss } from './use-dismiss.ts'

interface TriggerProps {
  ref: RefObject<HTMLButtonElement | null>
  onClick: () => void
  'aria-expanded': boolean
  'aria-haspopup': 'dialog'
  'aria-controls': string | undefined
}

interface PopoverProps {
  /** names the panel */
  label: string
  /** the button that opens it: spread the props onto it */
  trigger: (props: TriggerProps) => ReactNode
  children: ReactNode | ((close: () => void) => ReactNode)
  align?: 'start' | 'center' | 'end'
  maxWidth?: number
}

/** A panel at a button; closes on Escape, on a press outside, and when the focus leaves it. */
export function Popover({ label, trigger, children, align = 'start', maxWidth = 360 }: PopoverProps) {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDialogElement>(null)
  const id = useId()

  const close = () => setOpen(false)
  useDismiss(open, [button, panel], (reason) => {
    close()
    if (reason === 'escape') button.current?.focus()
  })

  /** Tab goes on where the button stands, not where the panel happens to be in the document. */
  const onTab = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== 'Tab') return
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

  useLayoutEffect(() => {
    if (!open) return
    const element = panel.current!
    const put = () => {
      const { innerWidth: width, innerHeight: height } = window
      const anchor = button.current!.getBoundingClientRect()
      const spot = place(
        anchor,
        element.getBoundingClientRect(),
        { width, height },
        { side: 'bottom', align },
      )
      element.style.left = `${spot.left}px`
      element.style.top = `${spot.top}px`
    }
    put()
    element.focus()
    window.addEventListener('resize', put)
    window.addEventListener('scroll', put, true)
    return () => {
      window.removeEventListener('resize', put)
      window.removeEventListener('scroll', put, true)
    }
  }, [open, align])

  return (
    <>
      {trigger({
        ref: button,
        onClick: () => setOpen(!open),
        'aria-expanded': open,
        'aria-haspopup': 'dialog',
        'aria-controls': open ? id : undefined,
      })}
      {open &&
        createPortal(
          <dialog
            open
            ref={panel}
            id={id}
            aria-label={label}
            tabIndex={-1}
            onKeyDown={onTab}
            onBlur={onBlur}
            style={{ width: 'max-content', maxWidth: `min(${maxWidth}px, calc(100vw - 16px))` }}
            className="appear fixed inset-auto top-0 left-0 z-40 m-0 text-ink max-h-[80dvh] overflow-y-auto rounded-lg border border-line bg-raised p-3 shadow-raised outline-none"
          >
            {typeof children === 'function' ? children(close) : children}
          </dialog>,
          document.body,
        )}
    </>
  )
}
