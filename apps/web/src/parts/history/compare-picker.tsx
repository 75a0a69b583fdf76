import { GitCompareArrows, X } from 'lucide-react'
import { useCallback, useState } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { useLive } from '../../live/use-live.ts'
import { isEqual } from '@pulse/domain'
import { Button, IconButton } from '../../ui/button.tsx'
import { Popover } from '../../ui/popover.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { LineSample } from '../chart/line-sample.tsx'
import { type Compared, lineOf, mostOthers } from './compare.ts'
import { guestChoices } from './guest-choices.ts'

interface CompareProps {
  /** the guest whose charts these are */
  own: string
  chosen: readonly string[]
  onChoose: (ids: readonly string[]) => void
}

/** A button with a list of guests, to show them in the same charts. */
export function ComparePicker(props: CompareProps) {
  return (
    <Popover
      label="Compare with other guests"
      align="end"
      trigger={
        <Button
          variant="ghost"
          className="px-2 text-xs aria-pressed:bg-accent-soft aria-pressed:text-accent"
          aria-label="Compare with other guests"
          aria-pressed={props.chosen.length > 0}
        >
          <GitCompareArrows aria-hidden size={14} />
          Compare
        </Button>
      }
    >
      <Choices {...props} />
    </Popover>
  )
}

function Choices({ own, chosen, onChoose }: CompareProps) {
  const [text, setText] = useState('')
  const { choices, more } = useLive(
    ['guests'],
    useCallback((live) => guestChoices(live, { text, chosen, own }), [text, chosen, own]),
    isEqual,
  )
  const isFull = chosen.length >= mostOthers
  return (
    // keys of the list are none of the row
    <div role="presentation" className="flex w-72 max-w-full flex-col gap-2" onKeyDown={keepKeys}>
      <TextField
        label="Guests"
        type="search"
        placeholder="Name, VMID or node"
        value={text}
        onChange={setText}
        hint={isFull ? `At most ${mostOthers}: remove one to add another.` : `Up to ${mostOthers} guests.`}
      />
      <ul aria-label="Guests to compare with" className="max-h-64 overflow-y-auto">
        {choices.map(({ id, name, vmid, node }) => {
          const isChosen = chosen.includes(id)
          return (
            <li key={id}>
              <label className="flex items-center gap-2 rounded px-1 py-1 text-table hover:bg-hover">
                <input
                  type="checkbox"
                  className="check"
                  checked={isChosen}
                  disabled={isFull && !isChosen}
                  onChange={() => onChoose(isChosen ? chosen.filter((one) => one !== id) : [...chosen, id])}
                />
                <span className="min-w-0 flex-1 truncate">{name}</span>
                <span className="shrink-0 text-xs text-ink-3">
                  {vmid} · {node}
                </span>
              </label>
            </li>
          )
        })}
      </ul>
      {choices.length === 0 && <p className="text-xs text-ink-3">No guest matches.</p>}
      {more > 0 && <p className="text-xs text-ink-3">and {formatNumber(more)} more</p>}
    </div>
  )
}

function keepKeys(event: { key: string; stopPropagation: () => void }): void {
  if (event.key !== 'Escape') event.stopPropagation()
}

interface LegendProps {
  guests: readonly Compared[]
  onRemove: (id: string) => void
}

/** Names the lines of all charts. */
export const CompareLegend = ({ guests, onRemove }: LegendProps) => (
  <ul aria-label="Compared guests" className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-2">
    {guests.map(({ id, name }, position) => (
      <li key={id} className="flex min-w-0 items-center gap-1.5">
        <LineSample {...lineOf(position)} />
        <span className="truncate text-ink">{name}</span>
        {position > 0 && (
          <IconButton label={`Remove ${name}`} className="size-5" onClick={() => onRemove(id)}>
            <X aria-hidden size={12} />
          </IconButton>
        )}
      </li>
    ))}
  </ul>
)
