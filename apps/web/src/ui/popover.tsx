import { cloneElement, type ReactElement, type ReactNode, useState } from 'react'
import { lazyPart } from './code/lazy-part.tsx'

interface PopoverProps {
  /** names the panel */
  label: string
  /** the button that opens it */
  trigger: ReactElement<TriggerProps>
  children: ReactNode | ((close: () => void) => ReactNode)
  /** the edge of the button at which it begins, or ends */
  align?: 'start' | 'end'
}

interface TriggerProps {
  'aria-expanded'?: boolean
  'aria-haspopup'?: 'dialog'
  onClick?: () => void
}

export interface PopoverPartsProps extends PopoverProps {
  /** it was pressed before its code was there */
  startOpen: boolean
  onEarlyPress: () => void
}

const early = ({ trigger }: PopoverPartsProps, onClick: () => void) =>
  cloneElement(trigger, { 'aria-expanded': false, 'aria-haspopup': 'dialog', onClick })

/** Fetched before the first is opened: its buttons are part of the first page, what they open is not. */
export const PopoverParts = lazyPart<PopoverPartsProps>('Popover', () => import('./popover-parts.tsx'), {
  fallback: (props) => early(props, props.onEarlyPress),
  renderFailure: ({ retry }, props) =>
    early(props, () => {
      props.onEarlyPress()
      retry()
    }),
})

/** A panel at a button, above everything. It closes on Escape, on a press outside and when the focus leaves it. */
export function Popover(props: PopoverProps) {
  const [startOpen, setStartOpen] = useState(false)
  return <PopoverParts {...props} startOpen={startOpen} onEarlyPress={() => setStartOpen(true)} />
}
