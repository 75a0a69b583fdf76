import type { ReactNode } from 'react'

export interface Fact {
  label: string
  value: ReactNode
}

/** Pairs of a word and what it is here. */
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
