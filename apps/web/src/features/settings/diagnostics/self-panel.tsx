import { META_ID } from '@pulse/contract'
import { HistoryCharts } from '../../../parts/history/history-charts.tsx'
import { Panel } from '../../../ui/panel.tsx'

/** What Pulse itself takes, over time. */
export const SelfPanel = () => (
  <Panel
    title="Pulse itself"
    description="Calls to the monitored servers, their duration, and what Pulse uses of this machine."
  >
    <HistoryCharts kind="meta" id={META_ID} name="Pulse" />
  </Panel>
)
