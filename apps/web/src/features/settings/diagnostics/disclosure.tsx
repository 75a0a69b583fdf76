import type { ReactNode } from 'react'
import { Disclosure as Base } from '../../../ui/disclosure.tsx'

interface DisclosureProps {
  summary: string
  startOpen?: boolean
  children: ReactNode
}

/** A list of a finding, in a frame of its own. */
export const Disclosure = ({ summary, startOpen = false, children }: DisclosureProps) => (
  <Base summary={summary} startOpen={startOpen} summaryClass="text-table">
    <div className="mt-2 overflow-clip rounded-md border border-line">{children}</div>
  </Base>
)
