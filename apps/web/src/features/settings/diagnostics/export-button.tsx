import { getDiagnosticsExport } from '@pulse/contract'
import { Download } from 'lucide-react'
import { useApi } from '../../../api/api.tsx'
import { useChange } from '../../../api/use-change.ts'
import { downloadText } from '../../../parts/setup/credentials-file.ts'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast.ts'
import { wordsOf } from '../../../api/reason.ts'
import { readText } from '../read-text.ts'

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

/** The day is UTC's, as in the file. */
export const exportFileName = (mode: ExportMode, now: number): string =>
  `pulse-diagnostics-${mode}-${new Date(now).toISOString().slice(0, 10)}.json`
