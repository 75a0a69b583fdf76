import { Tabs as Base } from '@base-ui/react/tabs'
import { type ReactNode, useState } from 'react'
import { cx } from './cx.ts'
import { SideScroll } from './side-scroll.tsx'

interface Tab {
  id: string
  label: string
  content: ReactNode
}

interface TabsProps {
  /** accessible name of the row */
  label: string
  tabs: readonly Tab[]
  value: string
  onChange: (id: string) => void
}

/**
 * Tabs with panels. A panel is mounted when it is first opened, and then stays mounted with its state. Arrows
 * move between tabs.
 */
export function Tabs({ label, tabs, value, onChange }: TabsProps) {
  const [opened, setOpened] = useState<readonly string[]>([value])
  if (!opened.includes(value)) setOpened([...opened, value])
  return (
    <Base.Root
      value={value}
      onValueChange={(id) => onChange(String(id))}
      className="flex min-w-0 flex-col gap-4"
    >
      <SideScroll>
        <Base.List
          aria-label={label}
          activateOnFocus
          className="flex w-max min-w-full gap-1 border-b border-line"
        >
          {tabs.map((tab) => (
            <Base.Tab
              key={tab.id}
              value={tab.id}
              className={cx(
                // scrolls into view with a margin for the faded edges
                'h-9 scroll-mx-7 border-b-2 px-3 text-table font-medium whitespace-nowrap focus-visible:outline-offset-[-2px]',
                tab.id === value ? 'border-accent text-ink' : 'border-transparent text-ink-2 hover:text-ink',
              )}
            >
              {tab.label}
            </Base.Tab>
          ))}
        </Base.List>
      </SideScroll>
      {tabs
        .filter(({ id }) => opened.includes(id))
        .map((tab) => (
          <Base.Panel
            key={tab.id}
            value={tab.id}
            keepMounted
            className="flex min-w-0 flex-col gap-4 outline-offset-4 [&[hidden]]:hidden"
          >
            {tab.content}
          </Base.Panel>
        ))}
    </Base.Root>
  )
}
