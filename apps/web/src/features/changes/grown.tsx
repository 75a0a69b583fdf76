import type { StorageGrowth } from '@pulse/contract'
import { useId, useState } from 'react'
import { formatBytes, formatPercent } from '../../lib/format.ts'
import { kindLabel } from '../../parts/changes/change-kinds.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { RankedItem } from './ranked-item.tsx'

/** On a narrow screen the others would push the changes out of the window. */
const mostWhileNarrow = 3

/** The storages whose used space grew most. */
export function GrownMost({ grown }: { grown: readonly StorageGrowth[] }) {
  const [isOpen, setOpen] = useState(false)
  const listId = useId()
  if (grown.length === 0) return null
  return (
    <Card aria-label="Grew most" className="overflow-clip">
      <h2 className="border-b border-line px-3 py-2 text-sm font-semibold">Grew most</h2>
      <ol id={listId} className="divide-y divide-line text-table">
        {grown.map(({ where, from, to, total, ...thing }, n) => (
          <RankedItem
            key={`${thing.kind} ${thing.id}`}
            thing={thing}
            about={[kindLabel(thing.kind), where]}
            className={n >= mostWhileNarrow && !isOpen && 'max-lg:hidden'}
          >
            {`+${formatBytes(to - from)}`}
            {from > 0 && (
              <span className="text-ink-3">{` (+${formatPercent((100 * (to - from)) / from)})`}</span>
            )}
            <span className="block text-xs text-ink-3">
              {total
                ? `now ${formatPercent((100 * to) / total)} of ${formatBytes(total)}`
                : `now ${formatBytes(to)}`}
            </span>
          </RankedItem>
        ))}
      </ol>
      {grown.length > mostWhileNarrow && (
        <div className="border-t border-line p-2 text-center lg:hidden">
          <Button aria-expanded={isOpen} aria-controls={listId} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Show fewer' : `Show all ${grown.length}`}
          </Button>
        </div>
      )}
    </Card>
  )
}
