import { getDiagnosticsExport } from '@pulse/contract'
import { Download, Stethoscope } from 'lucide-react'
import { useApi } from '../../../api/api.tsx'
import { useChange } from '../../../api/use-change.ts'
import { downloadText } from '../../../lib/download.ts'
import { readText } from '../../../parts/setup/credentials-file.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { LoadingRows, Panel } from '../../../ui/panel.tsx'
import { reasonOf, wordsOf } from '../../../api/reason.ts'
import { toast } from '../../../ui/toast.ts'
import { When } from '../when.tsx'
import type { DiagnosticsState } from './use-diagnostics.ts'

export function RunPanel({ run, error, isRunning, start }: DiagnosticsState) {
  return (
    <Panel
      title="Health check"
      description="Tests every connection; takes up to 30 seconds. A result is kept for 45 seconds."
      flush
      action={
        <Button variant="primary" disabled={isRunning} onClick={start}>
          {isRunning ? 'Running...' : 'Run Diagnostics'}
        </Button>
      }
    >
      {error && (
        <div className={run ? 'p-4 pb-0' : 'p-4'}>
          <Notice tone="red" title="The last run failed">
            {reasonOf(error)}
          </Notice>
        </div>
      )}
      {run && (
        <p className="p-4 text-table" role="status">
          {verdictOn(run.result)}
          <span className="text-ink-2">
            {' · '}
            <When time={run.madeAt} inline seconds />
          </span>
        </p>
      )}
      {!run && isRunning && <LoadingRows label="Running diagnostics" />}
      {!run && !isRunning && !error && (
        <EmptyState icon={<Stethoscope size={24} />} title="Not run yet">
          Shows which connections respond, which permissions they lack, and what monitoring them costs.
        </EmptyState>
      )}
      <div className="flex flex-wrap items-center gap-2 border-t border-line p-4">
        <ExportButton mode="full" />
        <ExportButton mode="sanitized" />
        <p className="min-w-0 flex-1 basis-64 text-xs text-ink-2">
          The sanitized file leaves out addresses, host names, tokens and names: safe to share.
        </p>
      </div>
    </Panel>
  )
}

function verdictOn({ nodes, pbs }: NonNullable<DiagnosticsState['run']>['result']): string {
  const all = [...nodes, ...pbs]
  if (all.length === 0) return 'No connections to test'
  return `${all.filter(({ connected }) => connected).length} of ${all.length} connections answer`
}

type ExportMode = 'full' | 'sanitized'

export function ExportButton({ mode }: { mode: ExportMode }) {
  const api = useApi()
  const file = useChange({
    mutationFn: async () => readText(await api.send(`${getDiagnosticsExport.path}?mode=${mode}`)),
    onSuccess: (text) => downloadText(exportFileName(mode, Date.now()), text),
    onError: (error) => toast.error(wordsOf(error, 'Failed to download diagnostics')),
  })
  return (
    <Button disabled={file.isPending} onClick={() => file.mutate()}>
      <Download aria-hidden size={14} />
      {file.isPending ? 'Preparing...' : labels[mode]}
    </Button>
  )
}

const labels: Record<ExportMode, string> = {
  full: 'Download full JSON',
  sanitized: 'Download sanitized JSON',
}

/** The UTC date, as in the file. */
export const exportFileName = (mode: ExportMode, now: number): string =>
  `pulse-diagnostics-${mode}-${new Date(now).toISOString().slice(0, 10)}.json`
