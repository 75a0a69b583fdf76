import { type ReactNode, useEffect, useRef } from 'react'
import { Card } from '../../ui/card.tsx'
import { SideScroll } from '../../ui/side-scroll.tsx'

/** The sidebar of small screens: its entries side by side. */
export function TabStrip({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Card className="overflow-clip lg:hidden">
      <nav aria-label={label}>
        <SideScroll>
          <ul className="flex w-max gap-1 p-1">{children}</ul>
        </SideScroll>
      </nav>
    </Card>
  )
}

/** How an entry looks; with a margin when it is brought into sight, because the edges fade where there is more. */
export const stripEntry =
  'inline-flex h-8 scroll-mx-7 items-center gap-2 rounded-md px-2.5 text-table font-medium whitespace-nowrap focus-visible:outline-offset-[-2px]'

/** The entry that is open is brought into sight. */
export function useInSight(isOpen: boolean) {
  const entry = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (isOpen) entry.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [isOpen])
  return entry
}
