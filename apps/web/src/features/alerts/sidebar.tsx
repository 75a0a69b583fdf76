import { Card } from '../../ui/card.tsx'
import { Entry } from './entry.tsx'
import { grouped, type Section } from './sections.ts'

interface SidebarProps {
  table: readonly Section[]
  active: Section
}

/** What is wide only while somebody is there is hidden otherwise, and read out all the same. */
const onlyWide =
  'opacity-0 transition-opacity group-hover:opacity-100 group-focus-within:opacity-100 xl:opacity-100'

/** Wide screens. A rail of icons that opens over the page while the pointer or the keyboard is there; from 1280 px it is always open. */
export function Sidebar({ table, active }: SidebarProps) {
  return (
    <div className="sticky top-3 z-30 hidden w-14 shrink-0 lg:block xl:w-56">
      <Card className="group w-14 overflow-clip p-2 transition-[width] focus-within:w-56 focus-within:shadow-raised hover:w-56 hover:shadow-raised xl:w-56 xl:shadow-none">
        <nav aria-label="Alerts" className="flex w-52 flex-col gap-3">
          {grouped(table).map((group) => (
            <div key={group.name}>
              <h2 className={`px-2 pb-1 text-2xs font-medium tracking-wide text-ink-3 ${onlyWide}`}>
                {group.name}
              </h2>
              <ul className="flex flex-col gap-0.5">
                {group.sections.map((section) => (
                  <li key={section.id}>
                    <Entry
                      section={section}
                      table={table}
                      active={section === active}
                      className="flex h-9 w-10 items-center gap-2.5 overflow-hidden rounded-md px-3 text-table font-medium group-focus-within:w-full group-hover:w-full xl:w-full"
                    >
                      <section.icon aria-hidden size={16} className="shrink-0" />
                      <span className={onlyWide}>{section.label}</span>
                    </Entry>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
      </Card>
    </div>
  )
}
