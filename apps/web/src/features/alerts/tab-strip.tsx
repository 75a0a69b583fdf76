import { useEffect, useRef } from 'react'
import { Card } from '../../ui/card.tsx'
import { SideScroll } from '../../ui/side-scroll.tsx'
import { Entry } from './entry.tsx'
import { grouped, type Section } from './sections.ts'

interface TabStripProps {
  table: readonly Section[]
  active: Section
}

/** The sidebar of small screens: the groups side by side. */
export function TabStrip({ table, active }: TabStripProps) {
  return (
    <Card className="overflow-clip lg:hidden">
      <nav aria-label="Alerts">
        <SideScroll>
          <ul className="flex w-max gap-1 p-1">
            {grouped(table)
              .flatMap(({ sections }) => sections)
              .map((section) => (
                <li key={section.id}>
                  <StripEntry section={section} table={table} active={section === active} />
                </li>
              ))}
          </ul>
        </SideScroll>
      </nav>
    </Card>
  )
}

interface StripEntryProps {
  section: Section
  table: readonly Section[]
  active: boolean
}

function StripEntry({ section, table, active }: StripEntryProps) {
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (active) link.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [active])
  return (
    <Entry
      ref={link}
      section={section}
      table={table}
      active={active}
      // shown with a margin, because the edges fade where there is more
      className="inline-flex h-8 scroll-mx-7 items-center gap-2 rounded-md px-2.5 text-table font-medium whitespace-nowrap focus-visible:outline-offset-[-2px]"
    >
      <section.icon aria-hidden size={15} className="shrink-0" />
      {section.label}
    </Entry>
  )
}
