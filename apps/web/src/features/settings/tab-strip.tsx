import { stripEntry, TabStrip, useInSight } from '../../parts/sections/tab-strip.tsx'
import { cx } from '../../ui/cx.ts'
import { Link } from '../../ui/router/link.tsx'
import { grouped, type Section } from './sections.ts'

interface SettingsTabsProps {
  table: readonly Section[]
  active: Section
}

export function SettingsTabs({ table, active }: SettingsTabsProps) {
  return (
    <TabStrip label="Settings">
      {grouped(table)
        .flatMap((group) => group.sections)
        .map((section) => (
          <li key={section.id}>
            <StripLink section={section} active={section === active} />
          </li>
        ))}
    </TabStrip>
  )
}

function StripLink({ section: { path, title, icon: Icon }, active }: { section: Section; active: boolean }) {
  const link = useInSight(active)
  return (
    <Link
      ref={link}
      to={path}
      className={cx(
        stripEntry,
        active ? 'bg-accent-soft text-accent' : 'text-ink-2 hover:bg-hover hover:text-ink',
      )}
      {...(active && { 'aria-current': 'page' as const })}
    >
      <Icon aria-hidden size={15} className="shrink-0" />
      {title}
    </Link>
  )
}
