import { Popover as Base } from '@base-ui/react/popover'
import { useLayoutEffect, useRef, useState, type ReactElement, type ReactNode } from 'react'

/** The button and its panel. It starts open, because the first press loaded this code. */
export default function PopoverParts(props: PopoverProps) {
  const { label, trigger, children, align = 'start' } = props
  const [open, setOpen] = useState(true)
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  // replaces the pressed button and takes over its focus before the next paint
  useLayoutEffect(() => button.current?.focus(), [])
  return (
    <Base.Root open={open} onOpenChange={(next) => setOpen(next)}>
      <Base.Trigger ref={button} render={trigger} />
      <Base.Portal>
        <Base.Positioner align={align} sideOffset={6} collisionPadding={8} className="z-50">
          <Base.Popup
            ref={panel}
            aria-label={label}
            initialFocus={panel}
            className="appear max-h-[min(80dvh,var(--available-height))] w-max max-w-[min(360px,calc(100vw-16px))] overflow-y-auto rounded-lg border border-line bg-raised p-3 text-ink shadow-raised outline-none"
          >
            {typeof children === 'function' ? children(() => setOpen(false)) : children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

export interface PopoverProps {
  /** accessible name of the panel */
  label: string
  /** the button that opens it */
  trigger: ReactElement<TriggerProps>
  children: ReactNode | ((close: () => void) => ReactNode)
  /** alignment with the button's edge */
  align?: 'start' | 'end'
}

interface TriggerProps {
  'aria-expanded'?: boolean
  'aria-haspopup'?: 'dialog'
  onClick?: () => void
}
