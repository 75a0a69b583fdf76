import { useCallback } from 'react'
import { useLive } from '../../live/use-live.ts'
import { ThingName } from './page-link.tsx'

interface GuestLinkProps {
  /** store id of the guest that a record belongs to; it may be gone */
  id: string | undefined
  name: string
  tabIndex?: 0 | -1
  className?: string
}

/** The name of a guest in a record that belongs to it. Links to the guest while there is one. */
export function GuestLink({ id, name, tabIndex, className }: GuestLinkProps) {
  const isThere = useLive(
    ['guests'],
    useCallback((live) => id !== undefined && live.get('guests', id) !== undefined, [id]),
  )
  if (id === undefined || !isThere) return <span className={className}>{name}</span>
  return (
    <ThingName
      kind="guests"
      id={id}
      name={name}
      {...(tabIndex !== undefined && { tabIndex })}
      {...(className !== undefined && { className })}
    />
  )
}
