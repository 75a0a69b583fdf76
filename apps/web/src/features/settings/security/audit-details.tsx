import type { AuditRecord } from '@pulse/contract'
import type { ReactNode } from 'react'
import { MISSING } from '../../../lib/format.ts'
import { When } from '../when.tsx'
import { methodTexts } from './audit-texts.ts'

/** All that is known of an event, whole. */
export function AuditDetails({ record }: { record: AuditRecord }) {
  const { actor, method, address, target, details, requestId } = record
  return (
    <dl className="grid grid-cols-[max-content_1fr] gap-x-4 gap-y-0.5 text-left text-table max-sm:mt-2">
      <Fact name="Who">{actor}</Fact>
      <Fact name="Signed in by">{methodTexts[method]}</Fact>
      <Fact name="From">{address ?? MISSING}</Fact>
      <Fact name="Target">{target ?? MISSING}</Fact>
      <Fact name="Details">{details ?? MISSING}</Fact>
      <Fact name="Request">
        <code className="font-mono text-xs">{requestId ?? MISSING}</code>
      </Fact>
      {record.count !== undefined && (
        <Fact name="Repeated">
          <Times record={record} />
        </Fact>
      )}
    </dl>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt className="text-ink-2">{name}</dt>
    <dd className="min-w-0 wrap-anywhere">{children}</dd>
  </>
)

/** Equal records are one: how often, and when it happened last. */
function Times({ record: { count, lastTime } }: { record: AuditRecord }) {
  if (count === undefined) return null
  return (
    <span className="block text-xs text-ink-2">
      {count} times, last <When time={lastTime} seconds />
    </span>
  )
}
