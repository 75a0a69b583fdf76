import { PanelLeftClose, PanelLeftOpen } from 'lucide-react'
import { useStored, writeStored } from '../../lib/storage.ts'
import { Card } from '../../ui/card.tsx'
import { cx } from '../../ui/cx.ts'
import { Link } from '../../ui/router/link.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import { grouped, type Section } from './sections.ts'

interface SidebarProps {
  table: readonly Section[]
  active: Section
}

const collapsedKey = 'settingsSidebarCollapsed'

/** Wide screens. Collapsed, it is a rail of icons; which one is kept in the browser. */
export function Sidebar({ table, active }: SidebarProps) {
  const collapsed = useStored(collapsedKey) === 'true'
  const Toggle = collapsed ? PanelLeftOpen : PanelLeftClose
  const toggleLabel = collapsed ? 'Expand sidebar' : 'Collapse sidebar'
  return (
    <Card className={cx('sticky top-3 hidden shrink-0 p-2 lg:block', collapsed ? 'w-16' : 'w-72')}>
      <nav aria-label="Settings" className="flex flex-col gap-3">
        <div className={cx('flex h-8 items-center', collapsed ? 'justify-center' : 'justify-between pl-2')}>
          {!collapsed && <span className="text-sm font-semibold">Settings</span>}
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
        {grouped(table).map((group) => (
          <div key={group.name}>
            <h2
              className={cx(
                'px-2 pb-1 text-2xs font-medium tracking-wide text-ink-3',
                collapsed && 'sr-only',
              )}
            >
              {group.name}
            </h2>
            <ul className="flex flex-col gap-0.5">
              {group.sections.map((section) => (
                <li key={section.id}>
                  <SidebarLink section={section} active={section === active} collapsed={collapsed} />
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
    </Card>
  )
}

interface SidebarLinkProps {
  section: Section
  active: boolean
  collapsed: boolean
}

function SidebarLink({ section: { path, title, icon: Icon }, active, collapsed }: SidebarLinkProps) {
  return (
    <Tooltip content={collapsed ? title : undefined}>
      <Link
        to={path}
        className={cx(
          'flex h-8 items-center gap-2.5 rounded-md text-table font-medium',
          collapsed ? 'justify-center' : 'px-2',
          active ? 'bg-accent-soft text-accent' : 'text-ink-2 hover:bg-hover hover:text-ink',
        )}
        {...(active && { 'aria-current': 'page' as const })}
      >
        <Icon aria-hidden size={16} className="shrink-0" />
        <span className={collapsed ? 'sr-only' : 'truncate'}>{title}</span>
      </Link>
    </Tooltip>
  )
}
