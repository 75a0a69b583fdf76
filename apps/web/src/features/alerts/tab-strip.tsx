import { stripEntry, TabStrip, useInSight } from '../../parts/sections/tab-strip.tsx'
import { Entry } from './entry.tsx'
import { grouped, type Section } from './sections.ts'

interface AlertTabsProps {
  table: readonly Section[]
  active: Section
}

export function AlertTabs({ table, active }: AlertTabsProps) {
  return (
    <TabStrip label="Alerts">
      {grouped(table)
        .flatMap(({ sections }) => sections)
        .map((section) => (
          <li key={section.id}>
            <StripEntry section={section} table={table} active={section === active} />
          </li>
        ))}
    </TabStrip>
  )
}

interface StripEntryProps {
  section: Section
  table: readonly Section[]
  active: boolean
}

function StripEntry({ section, table, active }: StripEntryProps) {
  const link = useInSight(active)
  return (
    <Entry ref={link} section={section} table={table} active={active} className={stripEntry}>
      <section.icon aria-hidden size={15} className="shrink-0" />
      {section.label}
    </Entry>
  )
}
