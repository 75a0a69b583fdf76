import { History } from 'lucide-react'
import type { Ref } from 'react'
import { IconButton } from '../ui/button.tsx'
import { lazyPart } from '../ui/code/lazy-part.tsx'
import { cx } from '../ui/cx.ts'
import { tip } from '../ui/tooltip.tsx'

/** Controls, mark and state of the past. The first page loads without them. */
export const TimeMachine = lazyPart('Time machine', async () => ({
  default: (await import('../parts/time-machine/time-machine.tsx')).TimeMachine,
}))

interface TimeMachineButtonProps {
  isOpen: boolean
  /** false on pages without a past, such as the settings */
  isPossible: boolean
  onToggle: () => void
  ref: Ref<HTMLButtonElement>
}

/** Opens and closes the controls. */
export const TimeMachineButton = ({ isOpen, isPossible, onToggle, ref }: TimeMachineButtonProps) => (
  <span
    className="inline-flex"
    {...tip(isPossible ? 'Time machine: the page as it was' : 'Settings have no history')}
  >
    <IconButton
      ref={ref}
      label="Time machine"
      aria-expanded={isOpen}
      disabled={!isPossible}
      className={cx('disabled:opacity-50', isOpen && 'bg-accent-soft text-accent')}
      onPointerEnter={() => void TimeMachine.preload()}
      onClick={onToggle}
    >
      <History aria-hidden size={16} />
    </IconButton>
  </span>
)
