import { PanelLeftClose, PanelLeftOpen } from 'lucide-react'
import { type ComponentType, type ReactNode, type Ref, useEffect, useRef } from 'react'
import { useStored, writeStored } from '../../lib/storage.ts'
import { Card } from '../../ui/card.tsx'
import { cx } from '../../ui/cx.ts'
import { Link } from '../../ui/router/link.tsx'
import { SideScroll } from '../../ui/side-scroll.tsx'
import { Tooltip, tip } from '../../ui/tooltip.tsx'

/** An entry of the sidebar, and the page below it. */
export interface ListedSection {
  id: string
  path: string
  title: string
  /** name in the sidebar, if it differs from the title */
  label?: string
  group: string
  icon: ComponentType<{ size?: number; className?: string; 'aria-hidden'?: boolean }>
}

/** The sections by group, in the order of the table. */
export const grouped = <S extends ListedSection>(table: readonly S[]) =>
  [...Map.groupBy(table, ({ group }) => group)].map(([name, sections]) => ({ name, sections }))

interface NavigationProps {
  /** title of the page */
  name: string
  table: readonly ListedSection[]
  active: ListedSection
  /** why a section cannot be opened; undefined if it can */
  blocked?: (section: ListedSection) => string | undefined
}

interface SectionFrameProps extends NavigationProps {
  /** layout of the sidebar on wide screens */
  sidebar: 'rail' | 'collapsible'
  children: ReactNode
}

/** A page with several sections: navigation and the open section. */
export function SectionFrame({ sidebar, children, ...navigation }: SectionFrameProps) {
  return (
    <div className="flex flex-col gap-3 py-3 lg:flex-row lg:items-start lg:gap-6">
      {sidebar === 'rail' ? <Rail {...navigation} /> : <CollapsibleSidebar {...navigation} />}
      <TabStrip {...navigation} />
      <div className="flex min-w-0 flex-1 flex-col gap-4">{children}</div>
    </div>
  )
}

/** Hidden in the closed rail, but available to screen readers. */
const openRailOnly =
  'opacity-0 transition-opacity group-hover:opacity-100 group-focus-within:opacity-100 xl:opacity-100'

/** A rail of icons that opens on hover and keyboard focus. From 1280 px on it is always open. */
function Rail({ name, ...navigation }: NavigationProps) {
  return (
    <div className="sticky top-[calc(0.75rem+var(--covered))] z-30 hidden w-14 shrink-0 lg:block xl:w-56">
      <Card className="group w-14 overflow-clip p-2 transition-[width] focus-within:w-56 focus-within:shadow-raised hover:w-56 hover:shadow-raised xl:w-56 xl:shadow-none">
        <nav aria-label={name} className="flex w-52 flex-col gap-3">
          <Groups
            {...navigation}
            headingClass={openRailOnly}
            linkClass="flex h-9 w-10 items-center gap-2.5 overflow-hidden rounded-md px-3 text-table font-medium group-focus-within:w-full group-hover:w-full xl:w-full"
            labelClass={openRailOnly}
          />
        </nav>
      </Card>
    </div>
  )
}

const collapsedKey = 'settingsSidebarCollapsed'

/** Open or collapsed to icons; the browser stores the choice. */
function CollapsibleSidebar({ name, ...navigation }: NavigationProps) {
  const collapsed = useStored(collapsedKey) === 'true'
  const Toggle = collapsed ? PanelLeftOpen : PanelLeftClose
  const toggleLabel = collapsed ? 'Expand sidebar' : 'Collapse sidebar'
  return (
    <Card
      className={cx(
        'sticky top-[calc(0.75rem+var(--covered))] hidden shrink-0 p-2 lg:block',
        collapsed ? 'w-16' : 'w-72',
      )}
    >
      <nav aria-label={name} className="flex flex-col gap-3">
        <div className={cx('flex h-8 items-center', collapsed ? 'justify-center' : 'justify-between pl-2')}>
          {!collapsed && <span className="text-sm font-semibold">{name}</span>}
          <Tooltip content={collapsed ? toggleLabel : undefined}>
            <button
              type="button"
              aria-label={toggleLabel}
              aria-expanded={!collapsed}
              onClick={() => writeStored(collapsedKey, String(!collapsed))}
              className="inline-flex size-8 items-center justify-center rounded-md text-ink-2 hover:bg-hover hover:text-ink"
            >
              <Toggle aria-hidden size={16} />
            </button>
          </Tooltip>
        </div>
        <Groups
          {...navigation}
          headingClass={collapsed && 'sr-only'}
          linkClass={cx(
            'flex h-8 items-center gap-2.5 rounded-md text-table font-medium',
            collapsed ? 'justify-center' : 'px-2',
          )}
          labelClass={collapsed ? 'sr-only' : 'truncate'}
          withTooltips={collapsed}
        />
      </nav>
    </Card>
  )
}

interface GroupsProps extends Omit<NavigationProps, 'name'> {
  headingClass: string | false
  linkClass: string
  labelClass: string
  withTooltips?: boolean
}

function Groups({ table, headingClass, labelClass, withTooltips = false, linkClass, ...rest }: GroupsProps) {
  return grouped(table).map(({ name, sections }) => (
    <div key={name}>
      <h2 className={cx('px-2 pb-1 text-2xs font-medium tracking-wide text-ink-3', headingClass)}>{name}</h2>
      <ul className="flex flex-col gap-0.5">
        {sections.map((section) => {
          const { id, title, label = title, icon: Icon } = section
          return (
            <li key={id}>
              <SectionLink
                {...rest}
                section={section}
                className={linkClass}
                hint={withTooltips ? label : undefined}
              >
                <Icon aria-hidden size={16} className="shrink-0" />
                <span className={labelClass}>{label}</span>
              </SectionLink>
            </li>
          )
        })}
      </ul>
    </div>
  ))
}

/** The navigation on small screens: entries side by side. */
function TabStrip({ name, table, ...rest }: NavigationProps) {
  return (
    <Card className="overflow-clip lg:hidden">
      <nav aria-label={name}>
        <SideScroll>
          <ul className="flex w-max gap-1 p-1">
            {table.map((section) => (
              <li key={section.id}>
                <TabStripLink section={section} {...rest} />
              </li>
            ))}
          </ul>
        </SideScroll>
      </nav>
    </Card>
  )
}

/** Scrolls into view when its section opens, with a margin for the faded edges. */
function TabStripLink(props: Omit<SectionLinkProps, 'className' | 'children'>) {
  const { title, label = title, icon: Icon } = props.section
  const isActive = props.section === props.active
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (isActive) link.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [isActive])
  return (
    <SectionLink
      {...props}
      ref={link}
      className="inline-flex h-8 scroll-mx-7 items-center gap-2 rounded-md px-2.5 text-table font-medium whitespace-nowrap focus-visible:outline-offset-[-2px]"
    >
      <Icon aria-hidden size={15} className="shrink-0" />
      {label}
    </SectionLink>
  )
}

interface SectionLinkProps extends Pick<NavigationProps, 'active' | 'blocked'> {
  section: ListedSection
  className: string
  children: ReactNode
  hint?: string | undefined
  ref?: Ref<HTMLAnchorElement>
}

function SectionLink({ section, active, blocked, className, children, hint, ref }: SectionLinkProps) {
  const reason = blocked?.(section)
  if (reason !== undefined) {
    return (
      // a link without href is announced as disabled, and its tooltip stays reachable
      <a
        role="link"
        aria-disabled
        tabIndex={0}
        className={cx(className, 'cursor-not-allowed text-ink-3 opacity-60')}
        {...tip(reason)}
      >
        {children}
      </a>
    )
  }
  const isActive = section === active
  return (
    <Link
      {...(ref && { ref })}
      to={section.path}
      className={cx(
        className,
        isActive ? 'bg-accent-soft text-accent' : 'text-ink-2 hover:bg-hover hover:text-ink',
      )}
      {...(isActive && { 'aria-current': 'page' as const })}
      {...tip(hint)}
    >
      {children}
    </Link>
  )
}
