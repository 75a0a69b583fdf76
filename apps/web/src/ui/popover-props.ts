import type { ReactElement, ReactNode } from 'react'

export interface PopoverProps {
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
