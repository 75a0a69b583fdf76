import { cloneElement, useState } from 'react'
import { lazyPart } from './code/lazy-part.tsx'
import type { PopoverProps } from './popover-parts.tsx'

const plain = (trigger: PopoverProps['trigger'], onClick: () => void) =>
  cloneElement(trigger, { 'aria-expanded': false, 'aria-haspopup': 'dialog', onClick })

/** Loaded before the first popover opens. The first page contains only the buttons. */
export const PopoverParts = lazyPart<PopoverProps>('Popover', () => import('./popover-parts.tsx'), {
  fallback: ({ trigger }) => plain(trigger, () => {}),
  renderFailure: ({ retry }, { trigger }) => plain(trigger, retry),
})

/**
 * A panel at a button. It closes on Escape, on a press outside, and when the focus leaves it. Until the first
 * press only the button is rendered.
 */
export function Popover(props: PopoverProps) {
  const [pressed, setPressed] = useState(false)
  return pressed ? <PopoverParts {...props} /> : plain(props.trigger, () => setPressed(true))
}
