import type { ReactNode } from 'react'
import { Card } from '../../../ui/card.tsx'
import { Switch } from '../../../ui/switch.tsx'

interface BlockProps {
  title: string
  description: string
  enabled: boolean
  onChange: (enabled: boolean) => void
  /** rendered only while enabled */
  children: ReactNode
}

/** One block of the schedule. */
export function Block({ title, description, enabled, onChange, children }: BlockProps) {
  return (
    <Card aria-label={title} className="flex flex-col">
      <header className="flex flex-wrap items-start gap-x-4 gap-y-2 px-4 py-3">
        <div className="min-w-0 flex-1 basis-48">
          <h3 className="text-sm font-semibold">{title}</h3>
          <p className="text-table text-ink-2">{description}</p>
        </div>
        <Switch name={title} label={enabled ? 'Enabled' : 'Disabled'} checked={enabled} onChange={onChange} />
      </header>
      {enabled && <div className="flex flex-col gap-4 border-t border-line p-4">{children}</div>}
    </Card>
  )
}
