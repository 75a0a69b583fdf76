import type { MailDomain, MailGateway, MonitorFlag, SourceState } from '@pulse/contract'
import { formatBytes, formatNumber } from '../../lib/format.ts'
import { type RecordColumn, RecordTable } from '../../parts/table/record-table.tsx'
import { UsageBar } from '../../ui/usage-bar.tsx'
import { Figures, FigurePanel } from './figure-panel.tsx'
import { deliveryRows, flowRows, type ScoreRow, scoreRows, threatRows, volumeRows } from './figures.ts'
import { nodeColumns } from './node-columns.tsx'

interface GatewayPanelsProps {
  gateway: MailGateway
  source: SourceState | undefined
}

export function GatewayPanels({ gateway, source }: GatewayPanelsProps) {
  const { mailStats, quarantine, spamDistribution, nodes, domains } = gateway
  const state = (question: Question, isThere: boolean) => ({
    staleSince: unreadableSince(source, question),
    missing: isThere ? undefined : whyMissing(source, question),
  })
  const mail = state(questions.mail, mailStats !== undefined)
  return (
    <>
      <div className="grid gap-x-8 gap-y-3 px-4 pt-1.5 pb-3 md:grid-cols-2 xl:grid-cols-4">
        <div className="flex min-w-0 flex-col gap-y-3">
          <FigurePanel title="Mail Flow (24h)" {...mail}>
            {mailStats && <Figures label="Mail Flow (24h)" rows={flowRows(mailStats)} />}
          </FigurePanel>
          <FigurePanel title="Traffic Volume" {...mail}>
            {mailStats && <Figures label="Traffic Volume" rows={volumeRows(mailStats)} />}
          </FigurePanel>
        </div>
        <FigurePanel title="Threat & Quarantine" {...state(questions.quarantine, quarantine !== undefined)}>
          {quarantine && <Figures label="Threat & Quarantine" rows={threatRows(quarantine)} />}
        </FigurePanel>
        <FigurePanel title="Delivery Health" {...mail}>
          {mailStats && <Figures label="Delivery Health" rows={deliveryRows(mailStats)} />}
        </FigurePanel>
        {spamDistribution && spamDistribution.length > 0 && (
          <FigurePanel title="Spam Score Distribution" {...mail}>
            <SpamScores rows={scoreRows(spamDistribution)} />
          </FigurePanel>
        )}
      </div>
      {nodes && nodes.length > 0 && (
        <FigurePanel
          title="Cluster Nodes"
          {...(isSwitchedOff(source, questions.queues) && {
            span: 'queues are switched off in the settings of this gateway',
          })}
          flush
          {...state(questions.nodes, true)}
        >
          <RecordTable
            dense
            label="Cluster Nodes"
            columns={nodeColumns}
            rows={nodes}
            keyOf={({ name }) => name}
            minWidth={760}
          />
        </FigurePanel>
      )}
      {(domains ?? []).length > 0 && !isSwitchedOff(source, questions.domains) && (
        <FigurePanel title="Domains" span="today" flush {...state(questions.domains, true)}>
          <DomainTable domains={domains!} />
        </FigurePanel>
      )}
    </>
  )
}

/** Mail by domain. */
function DomainTable({ domains }: { domains: readonly MailDomain[] }) {
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

/** A request to the gateway: its name in `unreadable`, and the flag that enables it. */
interface Question {
  what: string
  flag?: MonitorFlag
}

const questions = {
  mail: { what: 'mail statistics', flag: 'monitorMailStats' },
  quarantine: { what: 'quarantine', flag: 'monitorQuarantine' },
  queues: { what: 'queues', flag: 'monitorQueues' },
  domains: { what: 'domain statistics', flag: 'monitorDomainStats' },
  nodes: { what: 'cluster nodes' },
} as const satisfies Record<string, Question>

type SourceFacts = Pick<SourceState, 'unreadable' | 'switchedOff'> | undefined

const isSwitchedOff = (source: SourceFacts, { flag }: Question): boolean =>
  flag !== undefined && (source?.switchedOff?.includes(flag) ?? false)

/** Since when the answer is outdated. */
const unreadableSince = (source: SourceFacts, { what }: Question): number | undefined =>
  source?.unreadable?.find((one) => one.what === what)?.since

/** Why no answer can be shown. */
function whyMissing(source: SourceFacts, question: Question): string {
  if (isSwitchedOff(source, question)) return 'Switched off in the settings of this gateway.'
  if (unreadableSince(source, question) !== undefined) return 'Cannot be read, see above.'
  return 'Waiting for the first figures.'
}

/** Mail by spam score. */
function SpamScores({ rows }: { rows: readonly ScoreRow[] }) {
  return (
    <dl aria-label="Mail by spam score" className="figures text-table">
      {rows.map(({ score, count, share, percent }) => (
        <div key={score} className="flex h-6 items-center gap-3">
          <dt className="w-7 shrink-0 text-right text-ink-2">
            <span className="sr-only">Score </span>
            {score}
          </dt>
          <dd className="flex min-w-0 flex-1 items-center gap-3 text-right whitespace-nowrap">
            <UsageBar percent={percent} className="min-w-4 flex-1" />
            <span className="w-16 shrink-0 font-medium text-ink group-data-stale/gateway:text-ink-3">
              {count}
            </span>
            <span className="w-[3.5rem] shrink-0 text-xs text-ink-2">{share}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}
