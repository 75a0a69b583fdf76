import type { MailGateway, SourceState } from '@pulse/contract'
import { RecordTable } from '../../parts/table/record-table.tsx'
import { DomainTable } from './domain-table.tsx'
import { Figures, FigurePanel } from './figure-panel.tsx'
import { deliveryRows, flowRows, scoreRows, threatRows, volumeRows } from './figures.ts'
import { isSwitchedOff, type Question, questions, unreadableSince, whyMissing } from './missing.ts'
import { nodeColumns } from './node-columns.tsx'
import { SpamScores } from './spam-scores.tsx'

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
