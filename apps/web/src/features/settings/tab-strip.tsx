import { useEffect, useRef } from 'react'
import { Card } from '../../ui/card.tsx'
import { cx } from '../../ui/cx.ts'
import { Link } from '../../ui/router/link.tsx'
import { SideScroll } from '../../ui/side-scroll.tsx'
import { grouped, type Section } from './sections.ts'

interface TabStripProps {
  table: readonly Section[]
  active: Section
}

/** The sidebar of small screens: the groups side by side. */
export function TabStrip({ table, active }: TabStripProps) {
  return (
    <Card className="overflow-clip lg:hidden">
      <nav aria-label="Settings">
        <SideScroll>
          <ul className="flex w-max gap-1 p-1">
            {grouped(table)
              .flatMap((group) => group.sections)
              .map((section) => (
                <li key={section.id}>
                  <StripLink section={section} active={section === active} />
                </li>
              ))}
          </ul>
        </SideScroll>
      </nav>
    </Card>
  )
}

function StripLink({ section: { path, title, icon: Icon }, active }: { section: Section; active: boolean }) {
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (active) link.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [active])
  return (
    <Link
      ref={link}
      to={path}
      className={cx(
        // shown with a margin, because the edges fade where there is more
        'inline-flex h-8 scroll-mx-7 items-center gap-2 rounded-md px-2.5 text-table font-medium whitespace-nowrap focus-visible:outline-offset-[-2px]',
        active ? 'bg-accent-soft text-accent' : 'text-ink-2 hover:bg-hover hover:text-ink',
      )}
      {...(active && { 'aria-current': 'page' as const })}
    >
      <Icon aria-hidden size={15} className="shrink-0" />
      {title}
    </Link>
  )
}
