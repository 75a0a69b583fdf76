import { cloneElement, useState } from 'react'
import { lazyPart } from './code/lazy-part.tsx'
import type { PopoverProps } from './popover-parts.tsx'

const plain = (trigger: PopoverProps['trigger'], onClick: () => void) =>
  cloneElement(trigger, { 'aria-expanded': false, 'aria-haspopup': 'dialog', onClick })

/** Fetched before the first is opened: its buttons are part of the first page, what they open is not. */
export const PopoverParts = lazyPart<PopoverProps>('Popover', () => import('./popover-parts.tsx'), {
  fallback: ({ trigger }) => plain(trigger, () => {}),
  renderFailure: ({ retry }, { trigger }) => plain(trigger, retry),
})

/**
 * A panel at a button, above everything. It closes on Escape, on a press outside and when the focus leaves it. Until
 * it is pressed for the first time the button is only a button, which costs a page nothing.
 */
export function Popover(props: PopoverProps) {
  const [pressed, setPressed] = useState(false)
  return pressed ? <PopoverParts {...props} /> : plain(props.trigger, () => setPressed(true))
}
