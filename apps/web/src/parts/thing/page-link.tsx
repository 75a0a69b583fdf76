import { ArrowUpRight } from 'lucide-react'
import { buttonClass } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Link } from '../../ui/router/link.tsx'
import { tip } from '../../ui/tooltip.tsx'
import { usePhone } from '../screen/use-media.ts'
import { thingPath } from './thing-path.ts'

interface PageLinkProps {
  kind: 'guests' | 'nodes'
  /** store id */
  id: string
  name: string
}

const labelOf = (name: string) => `Page of ${name}`

interface RowLinkProps extends PageLinkProps {
  tabIndex: 0 | -1
}

/**
 * In a row whose name has another purpose: appears while the pointer or the focus is on the row. It covers the end of
 * its cell and takes no width, so that nothing moves. The gap of the cell must be 6 px.
 */
export const PageLinkOver = (props: RowLinkProps) => (
  <PageIcon {...props} className={cx(onHover, '-ml-[30px] bg-raised shadow-sm')} />
)

/** The same with a width of its own, after the name. Always visible on phones, because a finger does not hover. */
export const PageLinkBeside = (props: RowLinkProps) => (
  <PageIcon {...props} className={cx('-mx-1', usePhone() ? '' : onHover)} />
)

const onHover =
  'opacity-0 focus-visible:opacity-100 in-[[data-row]:hover]:opacity-100 in-[[data-row]:focus-visible]:opacity-100'

const PageIcon = ({ kind, id, name, tabIndex, className }: RowLinkProps & { className: string }) => (
  <Link
    to={thingPath(kind, id)}
    tabIndex={tabIndex}
    aria-label={labelOf(name)}
    className={cx(
      'inline-flex size-6 shrink-0 items-center justify-center rounded text-ink-2 hover:text-accent',
      className,
    )}
    {...tip('Open page')}
  >
    <ArrowUpRight aria-hidden size={14} />
  </Link>
)

/** In details, as a button. */
export const PageButton = ({ kind, id, name }: PageLinkProps) => (
  <Link to={thingPath(kind, id)} aria-label={labelOf(name)} className={buttonClass('secondary', 'h-7')}>
    Open page
    <ArrowUpRight aria-hidden size={14} />
  </Link>
)

interface ThingNameProps extends PageLinkProps {
  tabIndex?: 0 | -1
  className?: string
}

/** The name itself, where it has no other purpose. */
export const ThingName = ({ kind, id, name, tabIndex, className }: ThingNameProps) => (
  <Link
    to={thingPath(kind, id)}
    {...(tabIndex !== undefined && { tabIndex })}
    className={cx(className, 'hover:text-accent hover:underline')}
  >
    {name}
  </Link>
)
