import type { MailDomain } from '@pulse/contract'
import { formatBytes, formatNumber } from '../../lib/format.ts'
import { type RecordColumn, RecordTable } from '../../parts/table/record-table.tsx'

/** Whose mail it was. */
export function DomainTable({ domains }: { domains: readonly MailDomain[] }) {
  return (
    <RecordTable
      dense
      label="Domains"
      columns={columns}
      rows={domains}
      keyOf={({ domain }) => domain}
      minWidth={760}
    />
  )
}

const count = (
  header: string,
  label: string,
  read: (domain: MailDomain) => number,
  form: (value: number) => string = formatNumber,
): RecordColumn<MailDomain> => ({
  header,
  align: 'end',
  width: 11,
  cell: (domain) => form(read(domain)),
  phone: { slot: 'figure', label },
})

const columns: readonly RecordColumn<MailDomain>[] = [
  {
    header: 'Domain',
    width: 34,
    cell: ({ domain }) => <span className="font-medium break-all">{domain}</span>,
    phone: { slot: 'name' },
  },
  count('Inbound', 'In', ({ countIn }) => countIn),
  count('Outbound', 'Out', ({ countOut }) => countOut),
  count('Spam', 'Spam', ({ spamIn }) => spamIn),
  count('Virus', 'Virus', ({ virusIn }) => virusIn),
  count('Volume In', 'Volume in', ({ bytesIn }) => bytesIn, formatBytes),
  count('Volume Out', 'Volume out', ({ bytesOut }) => bytesOut, formatBytes),
]
