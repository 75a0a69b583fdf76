import { useConfigEdits } from './config-edits.tsx'
import { cx } from '../../ui/cx.ts'
import { Link } from '../../ui/router/link.tsx'
import { tip } from '../../ui/tooltip.tsx'
import { isAlwaysOpen, type Section } from './sections.ts'
import type { ReactNode, Ref } from 'react'

interface EntryProps {
  section: Section
  table: readonly Section[]
  active: boolean
  className: string
  children: ReactNode
  ref?: Ref<HTMLAnchorElement>
}

const inactiveTip = 'Activate alerts to configure'

/** A way to a section; to most of them there is none while alerts are not active. */
export function Entry({ section, table, active, className, children, ref }: EntryProps) {
  const { isActive } = useConfigEdits()
  if (isActive === false && !isAlwaysOpen(section, table)) {
    return (
      // a link without an address: read out as one that cannot be followed, and its tooltip can be reached
      <a
        role="link"
        aria-disabled
        tabIndex={0}
        className={cx(className, 'cursor-not-allowed text-ink-3 opacity-60')}
        {...tip(inactiveTip)}
      >
        {children}
      </a>
    )
  }
  return (
    <Link
      {...(ref && { ref })}
      to={section.path}
      className={cx(
        className,
        active ? 'bg-accent-soft text-accent' : 'text-ink-2 hover:bg-hover hover:text-ink',
      )}
      {...(active && { 'aria-current': 'page' as const })}
    >
      {children}
    </Link>
  )
}
