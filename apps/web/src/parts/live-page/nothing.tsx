import { SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { useMoment } from '../../lib/moment.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Link } from '../../ui/router/link.tsx'

interface NotConfiguredProps {
  icon: ReactNode
  title: string
  /** the settings section that helps */
  to?: string
  children: ReactNode
}

/** Nothing of a kind is configured. Links to the settings. */
export function NotConfigured({ to = '/settings', icon, title, children }: NotConfiguredProps) {
  const action = (
    <Link to={to} className={buttonClass('primary')}>
      Go to Settings
    </Link>
  )
  return (
    <NoneYet icon={icon} title={title} action={action}>
      {children}
    </NoneYet>
  )
}

interface NoneYetProps extends NotConfiguredProps {
  /** adds the first one */
  action: ReactNode
}

/** Nothing of a kind is configured, or was at a moment of the past, where nothing can be added. */
export function NoneYet({ icon, title, action, children }: Omit<NoneYetProps, 'to'>) {
  if (useMoment() === undefined) return <EmptyState {...{ icon, title, action }}>{children}</EmptyState>
  return <NothingThen icon={icon} />
}

/** For a moment of the past. */
export const NothingThen = ({ icon }: { icon: ReactNode }) => (
  <EmptyState icon={icon} title="Nothing at this time">
    There was nothing on this page, or Pulse had no history of it yet.
  </EmptyState>
)

export interface NothingFoundProps {
  title: string
  children: ReactNode
  /** the search terms that cannot match */
  problem?: string | undefined
  onReset: (() => void) | undefined
}

/** The search and filters of a page match nothing. */
export const NothingFound = ({ title, children, problem, onReset }: NothingFoundProps) => (
  <EmptyState
    announce
    icon={<SearchX size={24} />}
    title={title}
    action={onReset && <Button onClick={onReset}>Reset filters</Button>}
  >
    {children}
    {problem && <p className="mt-1 whitespace-pre-line text-orange">{problem}</p>}
  </EmptyState>
)
