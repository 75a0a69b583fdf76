import { type ReactNode, useState } from 'react'

interface DisclosureProps {
  summary: string
  startOpen?: boolean
  children: ReactNode
}

/** What is inside is drawn only while it is open: it may be long. */
export function Disclosure({ summary, startOpen = false, children }: DisclosureProps) {
  const [open, setOpen] = useState(startOpen)
  return (
    <details open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="cursor-pointer text-table font-medium text-ink-2 select-none">{summary}</summary>
      {open && <div className="mt-2 overflow-clip rounded-md border border-line">{children}</div>}
    </details>
  )
}
