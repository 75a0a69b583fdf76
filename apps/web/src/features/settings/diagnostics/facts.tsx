import type { ReactNode } from 'react'
import { Disclosure as Base } from '../../../ui/disclosure.tsx'

export interface Fact {
  label: string
  value: ReactNode
}

/** Label and value pairs. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-1.5 text-table">
      {facts.map(({ label, value }) => (
        <div key={label} className="flex min-w-0 gap-2">
          <dt className="shrink-0 text-ink-2">{label}</dt>
          <dd className="min-w-0 break-words tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** One check of a connection. */
export function Block({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-1.5">
      <h4 className="text-table font-semibold">{title}</h4>
      {children}
    </div>
  )
}

interface DisclosureProps {
  summary: string
  startOpen?: boolean
  children: ReactNode
}

/** An expandable list of findings. */
export const Disclosure = ({ summary, startOpen = false, children }: DisclosureProps) => (
  <Base summary={summary} startOpen={startOpen} summaryClass="text-table">
    <div className="mt-2 overflow-clip rounded-md border border-line">{children}</div>
  </Base>
)
