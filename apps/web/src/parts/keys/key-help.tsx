import { Dialog } from '../../ui/dialog.tsx'
import type { KeyHint } from './table-keys.ts'

interface KeyHelpProps {
  keys: readonly KeyHint[]
  onClose: () => void
}

export function KeyHelp({ keys, onClose }: KeyHelpProps) {
  return (
    <Dialog open onClose={onClose} title="Keys">
      <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-4 gap-y-2.5 text-table">
        {keys.map(({ keys: pressed, does }) => (
          <div key={does} className="contents">
            <dt className="flex gap-1">
              {pressed.map((key) => (
                <kbd
                  key={key}
                  className="rounded border border-line bg-sunken px-1.5 py-0.5 font-sans text-xs whitespace-nowrap text-ink"
                >
                  {key}
                </kbd>
              ))}
            </dt>
            <dd className="text-ink-2">{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
