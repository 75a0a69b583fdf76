import { ArrowUpRight } from 'lucide-react'
import { buttonClass } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Link } from '../../ui/router/link.tsx'
import { tip } from '../../ui/tooltip.tsx'
import { thingPath } from './thing-path.ts'

interface PageLinkProps {
  kind: 'guests' | 'nodes'
  /** store id */
  id: string
  name: string
}

const labelOf = (name: string) => `Open page of ${name}`

interface RowLinkProps extends PageLinkProps {
  tabIndex: 0 | -1
}

/**
 * In a row whose name has another purpose: appears while the pointer or the focus is on the row, after a badge of the
 * type. It takes no width, so that nothing moves. Its cell lays out its content in a centred line and is not positioned.
 * Until then it has nothing to paint: something transparent would be painted with every update, once per row.
 */
export const PageLinkOver = (props: RowLinkProps) => (
  <PageIcon
    {...props}
    className={cx(backgroundOnHover, 'text-ink-2 absolute ml-[1.9rem] [@media(hover:none)]:hidden')}
    iconClassName={iconOnHover}
  />
)

/** The same with a width of its own, after a name in a row without details. Always visible. */
export const PageLinkBeside = (props: RowLinkProps) => <PageIcon {...props} className="-mx-1 text-ink-3" />

const iconOnHover =
  'invisible in-[a:focus-visible]:visible in-[[data-row]:hover]:visible in-[[data-row]:focus-visible]:visible'
const backgroundOnHover =
  'focus-visible:bg-raised focus-visible:shadow-sm in-[[data-row]:hover]:bg-raised in-[[data-row]:hover]:shadow-sm in-[[data-row]:focus-visible]:bg-raised in-[[data-row]:focus-visible]:shadow-sm'

interface PageIconProps extends RowLinkProps {
  className: string
  iconClassName?: string | undefined
}

const PageIcon = ({ kind, id, name, tabIndex, className, iconClassName }: PageIconProps) => (
  <Link
    to={thingPath(kind, id)}
    tabIndex={tabIndex}
    aria-label={labelOf(name)}
    className={cx(
      'inline-flex size-6 shrink-0 items-center justify-center rounded hover:text-accent',
      className,
    )}
    {...tip('Open page')}
  >
    <ArrowUpRight aria-hidden size={14} className={iconClassName} />
  </Link>
)

/** In details, as a button at their end; on phones above them. */
export const PageButton = ({ kind, id, name }: PageLinkProps) => (
  <Link
    to={thingPath(kind, id)}
    aria-label={labelOf(name)}
    className={buttonClass('secondary', 'h-7 max-sm:mb-3 sm:float-right sm:ml-6')}
  >
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
    className={cx(className, 'leading-6 hover:text-accent hover:underline')}
  >
    {name}
  </Link>
)
