import { ArrowDown, ArrowUp } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import type { Sort } from '../../ui/table/sort.ts'
import { type GuestColumnId, guestColumns, narrowGuestColumns } from './columns.tsx'

interface SortNoteProps {
  sort: Sort<GuestColumnId>
  /** no column heads at all */
  phone: boolean
  /** no columns of rates */
  narrow: boolean
  /** shows where the order is chosen */
  onOpen: () => void
}

const words = { asc: 'ascending', desc: 'descending' } as const
const isUsual = ({ key, direction }: Sort<GuestColumnId>) => key === 'vmid' && direction === 'asc'

/** Where the head of the sorted column is not there to say so. */
export function SortNote({ sort, phone, narrow, onOpen }: SortNoteProps) {
  const isSeen = phone ? isUsual(sort) : !narrow || narrowGuestColumns.some(({ id }) => id === sort.key)
  if (isSeen) return null
  const Arrow = sort.direction === 'asc' ? ArrowUp : ArrowDown
  return (
    <Button variant="ghost" onClick={onOpen}>
      Sorted by {guestColumns.find(({ id }) => id === sort.key)?.header}
      <span className="sr-only">, {words[sort.direction]}</span>
      <Arrow aria-hidden size={13} />
    </Button>
  )
}
