import { SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
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
export const NotConfigured = ({ to = '/settings', children, ...rest }: NotConfiguredProps) => (
  <EmptyState
    {...rest}
    action={
      <Link to={to} className={buttonClass('primary')}>
        Go to Settings
      </Link>
    }
  >
    {children}
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
